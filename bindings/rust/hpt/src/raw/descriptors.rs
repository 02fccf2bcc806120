// SPDX-License-Identifier: MIT
//! Looks at descriptors.

use std::os::unix::io::{AsRawFd, BorrowedFd};

/// Whether a read would not block, or would fail.
pub(crate) fn is_readable(fd: BorrowedFd<'_>) -> bool {
    let mut look = libc::pollfd { fd: fd.as_raw_fd(), events: libc::POLLIN, revents: 0 };

    // SAFETY: the pointer is to one such struct.
    unsafe { libc::poll(&mut look, 1, 0) != 0 }
}
