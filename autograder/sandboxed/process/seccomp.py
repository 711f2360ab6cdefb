"""A filter on system calls: none that make namespaces, mounts, sockets to elsewhere or memory which
no limit counts, none that look into processes or at the host's mounts. Of the calls that Linux got
since version 5.1, whose numbers are the same everywhere, only those named here are there at all.

Written by hand as the kernel takes it, a small program over the number of the call; known for
x86-64 and 64-bit ARM.
"""

import ctypes
import platform
import struct

PR_SET_SECCOMP, MODE_FILTER = 22, 2
LOAD, JUMP_EQUAL, JUMP_AT_LEAST, JUMP_ANY_BIT, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
ALLOW, REFUSE_EPERM, REFUSE_ENOSYS = 0x7FFF0000, 0x00050000 | 1, 0x00050000 | 38
REFUSE_FAMILY, REFUSE_MEMORY = 0x00050000 | 97, 0x00050000 | 12
NEW_NAMESPACES = 0x7E020000 | 0x00000080  # the CLONE_NEW… flags of clone, time included
NUMBER, ARCHITECTURE, ARGUMENTS = 0, 4, (16, 24, 32, 40)  # offsets in the data that the filter sees
AF_UNIX, F_SETPIPE_SZ, MAP_SHARED, MAP_ANONYMOUS = 1, 1031, 1, 0x20
SO_SNDBUF, SO_PASSPIDFD, SO_PEERPIDFD = 7, 76, 77
# locks on ranges of a file, of which there may be any number, leases and news of folders
LOCKS = (6, 7, 37, 38, 1024, 1026)

# name, number on x86_64, number on aarch64; below: what only the kernel holds, and no limit counts
TABLE = """
    unshare 272 97, setns 308 268, mount 165 40, umount2 166 39, pivot_root 155 41, chroot 161 51,
    name_to_handle_at 303 264, open_by_handle_at 304 265, ptrace 101 117,
    process_vm_readv 310 270, process_vm_writev 311 271, kcmp 312 272, personality 135 92,
    add_key 248 217, request_key 249 218, keyctl 250 219, bpf 321 280, perf_event_open 298 241,
    userfaultfd 323 282, memfd_create 319 279, shmget 29 194, msgget 68 186, semget 64 190,
    kexec_load 246 104, init_module 175 105, finit_module 313 273, reboot 169 142, swapon 167 224,
    acct 163 89, quotactl 179 60, syslog 103 116,

    vmsplice 278 75, io_setup 206 0, io_submit 209 2, inotify_init 253 26, inotify_init1 294 26,
    fanotify_init 300 262, mq_open 240 180, setxattr 188 5, lsetxattr 189 6, fsetxattr 190 7,
    seccomp 317 277,
"""
REFUSED = {
    name: (int(x86_64), int(aarch64))
    for name, x86_64, aarch64 in (row.split() for row in TABLE.split(",") if row.strip())
}
MACHINES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}  # column, architecture
FIRST_NEW = 424
# close_range, openat2, faccessat2, epoll_pwait2, fchmodat2, and those of futexes
NEW = (436, 437, 439, 441, 452, 449, 454, 455, 456)
BY_ARGUMENT: list[tuple[tuple[int, int], int, int, tuple[int, ...], int, int]] = [
    # (numbers, which argument, jump, its values, action if it is one of them, action if not)
    ((41, 198), 0, JUMP_EQUAL, (AF_UNIX,), ALLOW, REFUSE_FAMILY),  # socket
    ((53, 199), 0, JUMP_EQUAL, (AF_UNIX,), ALLOW, REFUSE_FAMILY),  # socketpair
    # setsockopt: sockets stay small; with getsockopt: none tells a process of the other side
    ((54, 208), 2, JUMP_EQUAL, (SO_SNDBUF, SO_PASSPIDFD), REFUSE_EPERM, ALLOW),
    ((55, 209), 2, JUMP_EQUAL, (SO_PEERPIDFD,), REFUSE_EPERM, ALLOW),
    ((72, 25), 1, JUMP_EQUAL, (F_SETPIPE_SZ, *LOCKS), REFUSE_EPERM, ALLOW),  # fcntl
    ((56, 220), 0, JUMP_ANY_BIT, (NEW_NAMESPACES,), REFUSE_EPERM, ALLOW),  # clone
    ((157, 167), 0, JUMP_EQUAL, (PR_SET_SECCOMP,), REFUSE_EPERM, ALLOW),  # prctl
]
MMAP = (9, 222)


def install(libc: ctypes.CDLL) -> None:
    """Put the filter on this process and all that it starts. Raises OSError where that cannot be
    done.
    """
    if platform.machine() not in MACHINES:
        raise OSError(f"the numbers of system calls are not known for {platform.machine()}")
    instructions = program(*MACHINES[platform.machine()])
    code = ctypes.create_string_buffer(
        b"".join(struct.pack("<HBBI", *step) for step in instructions)
    )
    told = struct.pack("<HxxxxxxQ", len(instructions), ctypes.addressof(code))
    if libc.prctl(PR_SET_SECCOMP, MODE_FILTER, ctypes.c_char_p(told), 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "the filter on system calls was not taken")


def program(column: int, architecture: int) -> list[tuple[int, int, int, int]]:
    """The instructions of the filter: (operation, how many to skip if true, if false, value)."""
    instructions = [
        (LOAD, 0, 0, ARCHITECTURE),
        (JUMP_EQUAL, 1, 0, architecture),
        (RETURN, 0, 0, REFUSE_EPERM),
        (LOAD, 0, 0, NUMBER),
        (JUMP_AT_LEAST, 0, 1, 0x40000000),
        (RETURN, 0, 0, REFUSE_EPERM),
        (JUMP_AT_LEAST, 0, len(NEW) + 2, FIRST_NEW),
        *((JUMP_EQUAL, len(NEW) - place, 0, one) for place, one in enumerate(NEW)),
        (RETURN, 0, 0, REFUSE_ENOSYS),  # clone3 too, whose flags are out of sight
        (RETURN, 0, 0, ALLOW),
    ]
    for numbers in REFUSED.values():
        instructions += [(JUMP_EQUAL, 0, 1, numbers[column]), (RETURN, 0, 0, REFUSE_EPERM)]
    for numbers, argument, jump, values, if_so, if_not in BY_ARGUMENT:
        instructions += [
            (JUMP_EQUAL, 0, len(values) + 3, numbers[column]),
            (LOAD, 0, 0, ARGUMENTS[argument]),
            *((jump, len(values) - place, 0, one) for place, one in enumerate(values)),
            (RETURN, 0, 0, if_not),
            (RETURN, 0, 0, if_so),
        ]
    return [
        *instructions,
        # shared memory without a file is counted nowhere once it is unmapped
        (JUMP_EQUAL, 0, 4, MMAP[column]),
        (LOAD, 0, 0, ARGUMENTS[3]),
        (JUMP_ANY_BIT, 0, 2, MAP_ANONYMOUS),
        (JUMP_ANY_BIT, 0, 1, MAP_SHARED),
        (RETURN, 0, 0, REFUSE_MEMORY),
        (RETURN, 0, 0, ALLOW),
    ]
