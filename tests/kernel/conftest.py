"""Files in guest/ are tests for the guest: the kernel's own tests run them there."""

import os

collect_ignore = [] if "IN_THE_GUEST" in os.environ else ["guest"]
