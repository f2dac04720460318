"""Run a command, and print its seconds of processor time, its peak memory in MB and its exit code.

The kernel lets a process begin with the peak of the one that starts it, so this one is small:
``python -S -E starter.py MOST COMMAND ...``, ended after MOST seconds.
"""

import os
import resource
import sys

if __name__ == "__main__":
    process = os.fork()
    if process == 0:
        most = int(sys.argv[1])
        resource.setrlimit(resource.RLIMIT_CPU, (most, most))
        nowhere = os.open(os.devnull, os.O_RDWR)
        for number in (0, 1, 2):
            os.dup2(nowhere, number)
        os.execvp(sys.argv[2], sys.argv[2:])  # noqa: S606 (what the benchmarks name)
    _, status, used = os.wait4(process, 0)
    print(used.ru_utime + used.ru_stime, used.ru_maxrss // 1024, os.waitstatus_to_exitcode(status))
