"""Leave the language to reach the kernel.

expect: violation ptrace
"""

import ctypes

ctypes.CDLL(None).ptrace(16, 1, None, None)
