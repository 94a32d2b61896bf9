"""`python -m tradewinds` is the command `tradewinds`."""

import os
import sys

if __name__ == "__main__":
    # Python puts the working folder first, where a file beside a replay would be imported in place of a library.
    if not sys.flags.safe_path and sys.path and os.path.realpath(sys.path[0] or ".") == os.path.realpath("."):
        del sys.path[0]
    from tradewinds.cli.main import main

    sys.exit(main())
