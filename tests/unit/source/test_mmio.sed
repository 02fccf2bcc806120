# SPDX-License-Identifier: MIT

#: lib/source/mmio.c
s/src->is_private = m->width < 64;/src->is_private = true;/
s/src->is_private = m->width < 64;/;/
s/return ~hpt_hi_lo_hi(registers(src));/return hpt_hi_lo_hi(registers(src));/
s/- before_ns > n->window_ns));/- before_ns > 64 * n->window_ns));/
s/- before_ns > n->window_ns));/- before_ns > n->window_ns) \&\& 0);/
s/if (err == -HPT_ENOTDEVICE)/if (0)/
s/if (stage == HPT_STAGE_MAP)/if (0)/
s/return err == -EACCES || err == -EPERM ? /return err == -EACCES ? /
s/return r == -HPT_ENOTDEVICE ? -ENODEV : r;/return r;/
s/+ (src->u.mmio.mapped - bytes);/+ src->u.mmio.mapped;/
s/__builtin_add_overflow(uio.offset, m->offset + bytes, &end) || end > uio.size/(end = uio.offset + m->offset + bytes) > uio.size/
s/ || end > uio.size//
s/ || end > PTRDIFF_MAX//
s/^\t    end % 4)/\t    0)/
s/m->width == 64 ? 8 : 4;/8;/
s/m->address + m->offset, bytes/m->address, bytes/
s/src->bits == 64 ? 8 : 4;/8;/
s/if (m->flags & HPT_MMIO_POLLED)/if (0)/
s/src->u.mmio.narrow.window_ns < src->env->coarse_step_ns()/0/
s/src->u.mmio.narrow.window_ns < src->env->coarse_step_ns()/src->u.mmio.narrow.window_ns <= src->env->coarse_step_ns()/
s/if (!hpt_clock_is_virtual(.*/if (0)/
s/src->bits == 64 ? 2 : 1)/1)/
s/src->bits == 64 ? 2 : 1)/2)/
s/r == -EIO ? HPT_REASON_MMIO_BUS_ERROR : HPT_REASON_MMIO_UNPROVEN,/HPT_REASON_MMIO_BUS_ERROR,/
s/r == -EIO ? HPT_REASON_MMIO_BUS_ERROR : HPT_REASON_MMIO_UNPROVEN,/HPT_REASON_MMIO_UNPROVEN,/
s/r = try_words(src);/r = 0;/
s/if (!hpt_source_is_counting(src))/if (0)/
s/if (src->read(src) - first <= INT64_MAX)/if (1)/
s/#define DIRECTION_TRIES 3/#define DIRECTION_TRIES 1/
s/^\t\tmmio_close(src);/\t\t;/
s/if (src->reason != HPT_REASON_NONE)/if (0)/
s/if (!text || !\*text)/if (!text)/
s/if (!text || !\*text)/if (!*text)/

#: lib/source/source.c
s/if (src->rate.den)/if (0)/
