#!/bin/sh
# SPDX-License-Identifier: MIT
# mutants.sh [PATTERN]: breaks each guard once, in a copy of the tree, and sees a unit test fail. Not part of the suite.
set -u
tree=$(cd "$(dirname "$0")/../.." && pwd)
copy=${MUTANTS_DIR:-/tmp/mutants}
log=$copy/results
alive=0

rm -rf "$copy"
mkdir -p "$copy"
(cd "$tree" && tar cf - meson.build meson_options.txt include lib tools tests/meson.build tests/unit) | (cd "$copy" && tar xf -)
cd "$copy" || exit 1
sed -i "/^subdir('\(pkgconfig\|tools\|man\)')/d; /^summary/,\$d" meson.build
sed -i "/^subdir('unit')/!{/^subdir(/d}" tests/meson.build
meson setup build -Ddefault_library=static >setup.log 2>&1 || { cat setup.log; exit 1; }
ninja -C build >ninja.log 2>&1 || { tail ninja.log; exit 1; }
meson test -C build --suite unit >base.log 2>&1
grep -hE '^not ok' build/meson-logs/testlog.txt | sort >base.fail

# mutant TEST FILE SED-EXPRESSION: the program test_TEST must fail where it did not before. FILE: of lib, or a path.
mutant()
{
	case "$1 $2 $3" in *"${pattern}"*) ;; *) return ;; esac
	file=lib/$2
	case $2 in */*) file=$2 ;; esac
	cp "$file" saved
	sed -i "$3" "$file"
	if cmp -s saved "$file"; then
		echo "STALE    $2: $3"
		alive=$((alive + 1))
		return
	fi
	if ninja -C build "tests/unit/test_$1" >ninja.log 2>&1; then
		CMOCKA_MESSAGE_OUTPUT=TAP timeout 60 "build/tests/unit/test_$1" >run.log 2>&1
		rc=$?
		grep -hE '^not ok' run.log | grep -v 'tests$' | sort >now.fail
		new=$(comm -23 now.fail base.fail | head -1)
		if [ -n "$new" ]; then
			echo "killed   $2: $3 -> test_$1: ${new#not ok }"
		elif [ $rc -gt 100 ]; then
			echo "killed   $2: $3 -> test_$1: died with $rc"
		else
			echo "SURVIVED $2: $3 (test_$1)"
			alive=$((alive + 1))
		fi
	else
		echo "NO BUILD $2: $3"
		alive=$((alive + 1))
	fi
	cp saved "$file"
}
pattern=${1:-}

mutant scale scale.c 's/frac_hi += frac_lo >> 63;/;/'
mutant scale scale.c 's/if (p.hi || /if (/'
mutant scale scale.c 's/ || p.lo > limit//'
mutant scale scale.c 's/p.hi += __builtin_add_overflow/(void)__builtin_add_overflow/'
mutant scale scale.c 's/if (carry || /if (/'
mutant scale scale.c 's/q = hpt_wide_add(q, hpt_wide_of(1));/;/'
mutant scale scale.c 's/q = hpt_wide_add(q, hpt_wide_of(1));/q.lo++;/'
mutant scale scale.c 's/if (!is_less(rest, hpt_wide_subtract(den, rest)))/if (is_less(hpt_wide_subtract(den, rest), rest))/'
mutant scale scale.c 's/a.hi < b.hi || (a.hi == b.hi \&\& a.lo < b.lo)/a.lo < b.lo/'
mutant scale scale.c 's/if (is_less(x, den))/if (1)/'
mutant scale scale.c 's/if (hpt_wide_of(low).hi != x.hi)/if (0)/'
mutant scale scale.c 's/if (hpt_wide_of(low).hi != x.hi)/if (x.hi \&\& ~x.hi)/'
mutant scale scale.c 's/hpt_wide_narrow(ns, &narrow) ? /1 ? /'
mutant scale scale.c 's/hpt_wide_narrow(ns, &narrow) ? /0 ? /'
mutant scale scale.c 's/hpt_wide_is_negative(ns) ? UINT64_MAX : 0, s/0, s/'
mutant scale scale.c 's/flip ? HPT_NS_PER_S - 1 - (int64_t)rest : //'
mutant scale scale.h 's/ + (lo < a.lo)//'
mutant scale scale.h 's/x < 0 ? UINT64_MAX : 0, (uint64_t)x/0, (uint64_t)x/'
mutant epoch epoch.c 's/if (converts(e, end))/if (0)/'
mutant epoch epoch.c 's/ + (a % 2 + b % 2) \/ 2//'
mutant epoch epoch.c 's/inside = m;/outside = m;/'
mutant epoch epoch.c 's/hpt_scale_divide(age_ns, e->ns_per_tick)/hpt_scale_ticks(age_ns, e->tick_per_ns, e->ns_per_tick)/'
mutant epoch epoch.c 's/difference(t, e->tick)), ret/hpt_wide_of(t - e->tick + 2)), ret/'
mutant civil civil.c 's/- (a % b < 0)/- 0/'
mutant civil civil.c 's/ + day \/ 36524//'
mutant civil civil.c 's/ - day \/ 146096//'
mutant civil civil.c 's/ - in_era \/ 100//'
mutant civil civil.c 's/year - (month <= 2)/year/'
mutant civil civil.c 's/if (n > 0 || value > most)/if (value > most)/'
mutant civil civil.c 's/if (n > 0 || value > most)/if (n > 0)/'
mutant civil civil.c 's/if (!take_mark(at, mark, other))/if (take_mark(at, mark, other), 0)/'
mutant civil civil.c 's/if (left == NS_DIGITS)/if (0)/'
mutant civil civil.c 's/, left = NS_DIGITS;/, left = NS_DIGITS + 1;/'
mutant civil civil.c 's/if (real_month != month || /if (/'
mutant civil civil.c 's/ || real_day != day)/)/'
mutant civil civil.c 's/ || real_day != day)/ || 0)/'
mutant civil civil.c 's/if (!ahead \&\& !take_mark/if (!take_mark/'
mutant civil civil.c "s/if (!ahead \&\& !take_mark(at, '-', '-'))/if (!ahead \&\& !take_mark(at, '-', '-') \&\& 0)/"
mutant civil civil.c 's/take_and(at, 2, 23, .:., .:.) \* S/take_and(at, 2, 99, 58, 58) * S/'
mutant civil civil.c 's/take(at, 2, 59) \* S_PER_MINUTE/take(at, 2, 99) * S_PER_MINUTE/'
mutant civil civil.c 's/hour = take_and(at, 2, 23/hour = take_and(at, 2, 24/'
mutant civil civil.c 's/minute = take_and(at, 2, 59/minute = take_and(at, 2, 60/'
mutant civil civil.c 's/ + take(at, 2, 59);/ + take(at, 2, 60);/'
mutant civil civil.c 's/if (!at || \*at)/if (!at)/'
mutant civil civil.c 's/return ahead ? s : -s;/return s;/'
mutant civil civil.c 's/in_s < 0 ? in_s + HPT_NS_PER_S : in_s/in_s/'
mutant civil civil.c 's/if (negative)/if (0)/'
mutant latch latch.c 's/if (next == 0)/if (0)/'
mutant latch latch.c 's/return won;/return true;/'
mutant latch latch.c 's/& bit)$/\& 0)/'
mutant latch latch.c 's/hpt_latch_slot(current) != slot/1/'
mutant latch latch.c 's/if (hpt_latch_same(l, seen))/if (1)/'
mutant cpu cpu.c 's/(r\[EAX\] & 0xffff0000) == 0x80000000/1/'
mutant cpu cpu.c 's/ext >= 0x80000007/ext >= 0x80000001/'
mutant cpu cpu.c 's/if (family == 15)/if (1)/'
mutant cpu cpu.c 's/if (family >= 6)/if (1)/'
mutant cpu cpu.c 's/memcmp(vendors\[i\].id, cpu->vendor_id, 12)/strcmp(vendors[i].id, cpu->vendor_id) \&\& strncmp(vendors[i].id, cpu->vendor_id, 7)/'
mutant cpu cpu.c "s/n \&\& ret\[n - 1\] != ' '/1/"
mutant cpu cpu.c 's/0x0e, 0x3a/0x0e, 0x3b/'
mutant cpu cpu.c 's/r\[EAX\] < 0x15/r[EAX] < 0x14/'
# The verdict, row by row, each named by its HPT_REASON_.
# TSC_ABSENT
mutant trust trust.c 's/f->tsc_class == HPT_CPU_NO_TSC/0/'
# KERNEL_DISAGREES
mutant trust trust.c 's/f->kernel == HPT_KERNEL_OTHER/0/'
# TSC_TRUSTED: not without the kernel's word, and in guests too
mutant trust trust.c 's/kernel_agrees = f->kernel == HPT_KERNEL_TSC/kernel_agrees = f->kernel != HPT_KERNEL_OTHER/'
mutant trust trust.c 's/if (kernel_agrees)/if (kernel_agrees \&\& !f->hypervisor)/'
# TSC_GUEST_ALONE, TSC_UNCONTRADICTED
mutant trust trust.c 's/return f->hypervisor ? HPT_REASON_TSC_GUEST_ALONE : /return /'
mutant trust trust.c 's/HPT_REASON_TSC_GUEST_ALONE : HPT_REASON_TSC_UNCONTRADICTED;/HPT_REASON_TSC_GUEST_ALONE : HPT_REASON_TSC_GUEST_ALONE;/'
# TSC_NOT_CONSTANT, also of a class that is not known
mutant trust trust.c 's/f->tsc_class != HPT_CPU_CONSTANT_BY_FAMILY/0/'
mutant trust trust.c 's/f->tsc_class != HPT_CPU_CONSTANT_BY_FAMILY/f->tsc_class == HPT_CPU_NOT_CONSTANT/'
# TSC_GUEST_FAMILY
mutant trust trust.c 's/if (f->hypervisor)/if (0)/'
# TSC_FAMILY_ALONE, TSC_FAMILY
mutant trust trust.c 's/return kernel_agrees ? HPT_REASON_TSC_FAMILY : .*/return HPT_REASON_TSC_FAMILY;/'
mutant trust trust.c 's/return kernel_agrees ? HPT_REASON_TSC_FAMILY : /return /'
mutant trust trust.c 's/ || reason == HPT_REASON_TSC_FAMILY ||/ ||/'
# INTERPOSED, and only where nothing else speaks against the TSC
mutant trust trust.c 's/is_yes(reason) \&\& facts->interposed/0/'
mutant trust trust.c 's/is_yes(reason) \&\& facts->interposed/facts->interposed/'
mutant trust trust.c 's/libc_before_ns <= kernel_ns \&\& //'
mutant trust trust.c 's/ \&\& kernel_ns <= libc_after_ns//'
mutant trust trust.c 's/kernel_ns <= libc_after_ns/kernel_ns < libc_after_ns/'
# TSC_EXPENSIVE, the same, and the edge of twice the cost
mutant trust trust.c 's/is_yes(reason) \&\& facts->expensive/0/'
mutant trust trust.c 's/is_yes(reason) \&\& facts->expensive/facts->expensive/'
mutant trust trust.c 's/tsc_ticks < 2/tsc_ticks <= 2/'
mutant trust trust.c 's/tsc_and_os_ticks > tsc_ticks && //'
mutant select select.c 's/h->stddev_ps < o->stddev_ps/h->stddev_ps <= o->stddev_ps/'
mutant select select.c 's/#define DRAW_PERCENT 25/#define DRAW_PERCENT 20/'
mutant select select.c 's/ + (larger % (100 \/ DRAW_PERCENT) != 0)//'
mutant select select.c 's/#define COARSER_TIMES 10/#define COARSER_TIMES 100/'
mutant select select.c 's/ret->vetoed = !c\[requested\].trusted/ret->vetoed = false/'
mutant select select.c 's/ || ret->refused)/)/'
mutant select select.c 's/ \&\& c\[HPT_SOURCE_TSC\].trusted//'
mutant select select.c 's/ \&\& c\[HPT_SOURCE_HPET\].trusted//'
mutant measure measure.c 's/d \* d \/ (n - 1)/d * d \/ n/'
mutant measure measure.c 's/i + 1 >= SAMPLES_MIN && //'
mutant measure measure.c 's/left \&\& \*kept < 0/0/'
mutant measure measure.c 's/twice_median = lower + /twice_median = 2 * lower + /'
mutant measure measure.c 's/deltas\[i - 1\] > DELTA_MAX/0/'
mutant measure measure.c 's/sorted\[i\] - sorted\[i - 1\] > 1/sorted[i] - sorted[i - 1] > 0/'
mutant calibrate calibrate.c 's/(ns - step.ns) < \*hi)/(ns - step.ns) < *hi \&\& 0)/'
mutant calibrate calibrate.c 's/(double)ref_step_ns, .ticks/1, .ticks/'
mutant calibrate calibrate.c 's/if (!ref_step_ns || lo > hi || /if (/'
mutant calibrate calibrate.c 's/b->before - a->after/b->after - a->after/'
mutant calibrate calibrate.c 's/(b->after - a->before) + step.ticks/(b->after - a->before)/'
mutant source source.c 's/if (!ops)/if (0)/'
mutant source source.c 's/env->clock_ns_syscall : env->clock_ns;/env->clock_ns : env->clock_ns;/'
mutant source source.c 's/batch < COUNTING_BATCHES/batch >= 0/'
mutant source_tsc source_tsc.c 's/if (src->tsc_forbidden)/if (0)/'
mutant source_tsc source_tsc.c 's/!cpu.rdtscp && !cpu.sse2/0/'
mutant source_tsc source_tsc.c 's/if (!cpu.tsc)/if (0)/'
mutant source_os source_os.c 's/src->tsc_forbidden ? hpt_os_read_syscall : //'
mutant source_hpet source_hpet.c 's/static uint32_t load32/static int32_t load32/;s/uint32_t hi = load32/int64_t hi = load32/;s/uint32_t lo = load32(src, REG_COUNTER);/int32_t lo = load32(src, REG_COUNTER);/'
mutant source_hpet source_hpet.c 's/if (likely(again == hi))/if (1)/'
mutant source_hpet source_hpet.c 's/return stage == HPT_STAGE_MAP ? HPT_REASON_HPET_NO_MMAP : .*/return HPT_REASON_HPET_NO_MMAP;/'
mutant source_hpet source_hpet.c 's/#define CARRY_MARGIN 0x10000u/#define CARRY_MARGIN 0u/'
mutant source_hpet source_hpet.c 's/if (single_load_works(src))/if (1)/'
mutant source_hpet source_hpet.c 's/if (v < before || v > after)/if (v < before)/'
mutant source_hpet source_hpet.c 's/!(caps & CAPS_64BIT)/!(caps >> 13)/'
mutant source_hpet source_hpet.c 's/if (caps == UINT32_MAX && period == UINT32_MAX)/if (0)/'
mutant source_hpet source_hpet.c 's/period < PERIOD_MIN_FS || //'
mutant source_hpet source_hpet.c 's/ || period > PERIOD_MAX_FS//'
mutant source_hpet source_hpet.c 's/& CONFIG_ENABLE/\& 2/'
mutant source_hpet source_hpet.c 's/if (!hpt_source_is_counting(src))/if (0)/'
mutant source_hpet source_hpet.c 's/m ? m + 1 : BEING_MADE/BEING_MADE/'
mutant source_hpet source_hpet.c 's/r ? 0 : (uintptr_t)page | 1/(uintptr_t)page | 1/'
mutant source_hpet source_hpet.c 's/^\t\thpet_close(src);$/\t\t;/'
mutant source_hpet source_hpet.c 's/return r == -HPT_ENOTDEVICE ? -ENODEV : r;/return r;/'
mutant status status.c 's/if (!new.frequency_uhz)/if (0)/'
mutant current current.c 's/ret\[n - 1\].ref_ns - from_ns >= HPT_BASELINE_NS \&\& //'
mutant current current.c 's/taken < WAIT_PAIRS_MAX; taken/; taken/'
mutant current current.c 's/tries < CALIBRATE_TRIES/tries < 1/'
mutant current current.c 's/ \&\& hpt_fit_ref_step_ns(fit))/)/'
mutant clock info.c 's/^\tstatus->reason = dflt->reason;$/\t;/'
mutant current current.c 's/return clk->n_anchor \&\& !hpt_offset_differs(.*/return clk->n_anchor;/'
mutant current current.c 's/!hpt_calibrate_stated(stated, ret)/(hpt_calibrate_stated(stated, ret), 0)/'
mutant current current.c 's/!hpt_record_serves(ret, (uint64_t)t)/0/'
mutant current current.c 's/if (likely(hpt_record_serves(ret, tick)) || /if (1 || /'
mutant record current.c 's/if (rec.line_span)/if (1)/'
mutant health current.c 's/if (rec.line_span)/if (1)/'
mutant record current.c 's/if (likely(tick - start < hpt_word_load(&words\[WORD_LINE_SPAN\]) \&\& /if (likely(/'
mutant record record.c 's/if (rec->wander_ppb || !hpt_kernel_rate_within/if (!hpt_kernel_rate_within/'
mutant record record.c 's/\&\& !hpt_kernel_rate_round(near.lo_uhz, near.hi_uhz, &kernel)/|| 1/;s/^				!hpt_kernel_rate_round(near.lo_uhz, near.hi_uhz, &kernel)))/				1))/'
mutant record record.c 's/uhz = clamped(uhz ? uhz : rec->frequency_uhz, rec->bound);/uhz = uhz ? uhz : rec->frequency_uhz;/'
mutant record record.c 's/rec->bound = both;$/(void)both;/'
mutant record record.c 's/if (error_ppb < UINT32_MAX)$/if (0)/'
mutant record record.c 's/error_ppb += rec->wander_ppb;/error_ppb += 0;/'
mutant record record.c 's/!is_within(rec->frequency_uhz, both) \&\& is_kernels_still(rec, now, leeway)/0/'
mutant record record.c 's/#define SKEW_NS 200/#define SKEW_NS 2000000000/'
mutant record record.c 's/} else if (both.lo_uhz > both.hi_uhz) {/} else if (0) {/'
mutant record record.c 's/if (rec->wander_ppb \&\& fix->ref_ns - rec->base.ref_ns > WANDER_BASELINE_NS)/if (0)/'
mutant record record.c 's/if ((int64_t)(fix->tick - old->last.tick) < 0)/if (0)/'
mutant record record.c 's/: UINT32_MAX) > JUMP_FS;/: UINT32_MAX) > 1000 * JUMP_FS;/'
mutant record record.c 's/#define JUMP_FS  (1000 \* FS_PER_NS)/#define JUMP_FS  (50 * FS_PER_NS)/'
mutant record record.c 's/look->offset_lo_ns > old->offset_hi_ns || //'
mutant record record.c 's/ || look->offset_hi_ns < old->offset_lo_ns;/;/'
mutant record record.c 's/return jumped ? MOVED_AWAY : MOVED;/return MOVED;/'
mutant record record.c 's/return jumped ? MOVED_AWAY : MOVED;/return MOVED_AWAY;/'
mutant record record.c 's/return jumped || look->is_disrupted ? JUMPED : NOTHING;/return look->is_disrupted ? JUMPED : NOTHING;/'
mutant record record.c 's/event == JUMPED ? HPT_STATE_DISRUPTED : HPT_STATE_REANCHORED/HPT_STATE_REANCHORED/'
mutant record record.c 's/^		forget_rate(rec);/		;/'
mutant record record.c 's/^	rec->last = \*fix;$/	;/'
mutant record record.c 's/rec->origin != HPT_ORIGIN_KERNEL || !hpt_fix_narrow(.*/1)/'
mutant record record.c 's/now.lo_uhz > now.hi_uhz || rec->unix_last/rec->unix_last/'
mutant record record.c 's/ || rec->unix_last.ref_ns - rec->unix_base.ref_ns > UNIX_BASELINE_MAX_NS//'
mutant record record.c 's/ret->unix_base = ret->unix_last = wall;/;/'
mutant record record.c 's/if (start - end <= ticks)/if (1)/'
mutant record record.c 's/hpt_slope_bent(slope, fs_between(there, target), ticks)/slope/'
mutant record record.c 's/hpt_slope_times(start - end, slope)/hpt_slope_times(start - end, line->slope)/'
mutant record record.c 's/fs_between(least, target) < 0 ? least : target/target/'
mutant record record.c 's/rec->span = ticks < rest ? ticks : rest;/rec->span = ticks;/'
mutant record record.c 's/rec->look_ns = rec->origin == HPT_ORIGIN_KERNEL || is_exact(rec) ? UINT64_MAX :/rec->look_ns = 1 ? UINT64_MAX :/'
mutant record record.c 's/if (event == MOVED)$/if (0)/'
mutant health record.c 's/else if (!hpt_record_serves(old, start))/else/'
mutant record record.c 's/lo > rec->offset_lo_ns || lo > hi ? lo : rec->offset_lo_ns/lo/;s/hi < rec->offset_hi_ns ? hi : rec->offset_hi_ns/hi/'
mutant health record.c 's/rec->state == HPT_STATE_DEMOTED || rec->origin == HPT_ORIGIN_NONE ? 0/0 ? 0/'
mutant health record.c 's/is_exact(old) || old->state == HPT_STATE_DEMOTED/is_exact(old)/'
mutant health record.c 's/look->is_demoted \&\& old->state != HPT_STATE_DEMOTED/look->is_demoted/'
mutant health record.c 's/else if (rec->state != HPT_STATE_DEMOTED)/else/'
mutant health record.c 's/rebase(rec, fix, DEMOTED_PPB);/;/'
mutant health record.c 's/rec->flags \&= ~HPT_RECORD_STATED;/;/'
mutant health record.c 's/rec->flags |= HPT_CLOCK_RATE_CONTRADICTED;/;/'
mutant health health.c 's/return clk->kernel_is_tsc \&\& /return /'
mutant health health.c 's/== HPT_KERNEL_OTHER/!= HPT_KERNEL_TSC/'
mutant health health.c 's/#define STATED_PPB 1000000/#define STATED_PPB 800000/'
mutant health health.c 's/#define STATED_PPB 1000000/#define STATED_PPB 1300000/'
mutant health health.c 's/if (!is_tsc(clk) || !hpt_vm_marker/if (!hpt_vm_marker/'
mutant health health.c 's/(rec->flags \& HPT_RECORD_VM_MARKER) \&\& //'
mutant health health.c 's/ \&\& marker != rec->vm_marker//'
mutant health health.c 's/tries < CHECK_TRIES \&\& !check(clk, &rec)/tries < CHECK_TRIES \&\& !(check(clk, \&rec), 0)/'
mutant health health.c 's/if (!(rec->flags \& HPT_RECORD_STATED))/if (1)/'
mutant health health.c 's/	errno = saved;/	(void)saved;/'
mutant clock clock.c 's/pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel)/cancel = 0/'
mutant clock clock.c 's/if (!clk || clk->is_static)/if (!clk)/'
mutant clock clock.c 's/!ret || source >= HPT_SOURCE_IDS/source >= HPT_SOURCE_IDS/'
mutant init init.c 's/if (n >= sizeof(b->env_source))/if (0)/'
mutant init init.c 's/b->flags |= HPT_CLOCK_ENV_UNKNOWN/(void)0/'
mutant init init.c 's/b->flags |= HPT_CLOCK_ENV_REFUSED/(void)0/'
mutant init init.c 's/facts.expensive = !tsc_is_cheap(clk)/tsc_is_cheap(clk)/'
mutant init init.c 's/facts.interposed = is_interposed.*/;/'
mutant init init.c 's/if (!src->env->kernel_ns(CLOCK_MONOTONIC_RAW, &kernel_ns))/if (!src->env->kernel_ns(CLOCK_MONOTONIC_RAW, \&kernel_ns) \&\& 0)/'
mutant init init.c 's/clk->src.ops->id != HPT_SOURCE_OS \&\& is_interposed(&clk->src)/0/'
mutant init init.c 's/ \&\& c->candidate\[HPT_SOURCE_HPET\].trusted//'
mutant init init.c 's/c->candidate\[id\].usable && id != choice->source/0/'
mutant init init.c 's/^\thpt_boot_on_os(&once.reserve, &hpt_env_live);$/\t;/'
mutant time time.c 's/if (size < sizeof(text))/if (0)/'
mutant time time.c 's/if (size <= len)/if (size < len)/'
mutant time time.c 's/above_ns < 0 || //'
mutant time time.c 's/ || above_ns >= HPT_NS_PER_S)/)/'
mutant time time.c 's/!tv || tv->usec < 0 || tv->usec >= US_PER_S/!tv || tv->usec >= US_PER_S/'
mutant time time.c 's/ || tv->usec >= US_PER_S)/)/'
mutant time time.c 's/if (!tv || /if (/'
mutant time time.c 's/return ts ? from_seconds(clk, ts->sec, ts->nsec, ret) : -EINVAL;/return from_seconds(clk, ts->sec, ts->nsec, ret);/'
mutant time time.c 's/if (!buf)/if (0)/'
mutant time time.c 's/if (!ret)/if (0)/'
mutant time time.c 's/return ret ? hpt_wide_narrow(hpt_wide_add(.*/return hpt_wide_narrow(hpt_wide_add(hpt_wide_of(t), ticks), ret);/'
mutant time time.c 's/return ret ? hpt_wide_narrow(time_to_wide_ns(clk, t), ret) : -EINVAL;/return hpt_wide_narrow(time_to_wide_ns(clk, t), ret);/'
mutant time time.c 's/negative ? hpt_wide_negate(ns) : ns/ns/'
mutant time time.c 's/return hpt_epoch_furthest(&e, INT64_MIN);/return hpt_epoch_furthest(\&e, INT64_MIN) - 1;/'
mutant time time.c 's/return hpt_epoch_furthest(&e, INT64_MAX);/return hpt_epoch_furthest(\&e, INT64_MAX) + 1;/'
mutant time time.c 's/e = epoch_for(clk, about);/;/'
mutant info info.c 's/memset(ret, 0, size);/;/'
mutant env env.c 's/ || minor(st.st_rdev) != HPET_MINOR//;s/ || major(st.st_rdev) != HPET_MAJOR//'
mutant env env.c 's/ | O_NONBLOCK//'
mutant env env.c 's/strcmp(line, "tsc")/!strstr(line, "tsc")/'
mutant env env.c 's/if (len >= size)/if (0)/'
mutant env env.c '/^static int live_map_hpet/,/^}/s/^\tclose(fd);$/\t;/'
mutant names names.c '/HPET stands still/s/HPET/TSC/'
mutant warp tools/warp.c 's/if (after >= before)/if (1)/'
mutant warp tools/warp.c 's/p->most_ticks = hpt_ticks_smaller(p->most_ticks, /p->most_ticks = (/'
mutant warp tools/warp.c 's/p->least_ticks = hpt_ticks_larger(p->least_ticks, /p->least_ticks = (/'
mutant warp tools/warp.c 's/note_step(p, asked, answered);/;/'
mutant warp tools/warp.c 's/note_step(p, answered, back);/;/'
mutant warp tools/warp.c 's/note_step(p, last, now);/;/'
mutant warp tools/warp.c 's/g->error = move_to(g->cpu);/;/'
mutant warp tools/warp.c 's/\*ret_cpu = guests\[i\].cpu;/*ret_cpu = guests[n - 1].cpu;/'
mutant warp tools/warp.c 's/distance + 2/distance + 1/'
mutant warp tools/ticks.h 's/return a < b ? INT64_MIN : INT64_MAX;/return a - (unsigned long long)b;/'
mutant check tools/check.c 's/if (check->pairs\[i\].backwards)/if (0)/'
mutant check tools/check.c 's/check->error || //'
mutant check tools/check.c 's/ || !all_are_compared(check)//'
mutant check tools/check.c 's/check->pairs\[i\].cpu_a == check->cpus\[0\] \&\& //'
mutant check tools/check.c 's/hpt_warp_pair_width(pair) < check->width_limit_ticks/1/'
mutant check tools/check.c 's/pair->backwards || (/(/'
mutant check tools/check.c 's/ ? direct : most + second/ ? direct : direct/'
mutant check tools/check.c 's/!hpt_check_rate_ok(check) || //'
mutant check tools/check.c 's/check->before.state != HPT_STATE_OK || //'
mutant check tools/check.c 's/ || check->after.state != HPT_STATE_OK//'
mutant check tools/check.c 's/check->after.generation != check->before.generation/0/'
mutant check tools/check.c 's/check->drift_allowed_ppb >= UINT32_MAX/0/'
mutant check tools/check.c 's/ || check->drift.raw_ns <= 0//'
mutant check tools/check.c 's/ || size - check->drift_allowed_ppb <= check->drift.uncertainty_ppb//'
mutant check tools/check.c 's/info->source == HPT_SOURCE_OS ? ntp_ppb() : //'
mutant drift tools/drift.c 's/ + middle(last) - middle(first)/ + middle(last)/'
mutant drift tools/drift.c 's/(middle(last) + middle(first) + 1)/(middle(last) + 1)/'
mutant drift tools/drift.c 's/ + (double)step_ns//'
mutant drift tools/drift.c 's/(double)(last->raw_step_ns > first->raw_step_ns ? last->raw_step_ns : first->raw_step_ns)/1/'
mutant drift tools/drift.c 's/repeats |= advance == 0/repeats = true/'
mutant drift tools/drift.c 's/ \&\& (!least || advance < least))/)/'
mutant drift tools/drift.c 's/if (d.raw_ns <= 0)/if (0)/'
mutant drift tools/drift.c 's/return hpt_ticks_larger(hpt_ticks_minus(m->after, m->before), 0)/return hpt_ticks_minus(m->after, m->before)/'

echo "$alive not killed"
[ $alive = 0 ]
