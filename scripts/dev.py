"""Byline's commands: ``python3 scripts/dev.py demo``, ``test``, ``lint``, ``docs`` and more.

This file is read by any Python 3, so that one too old for Byline can say so.
"""

import sys

OLDEST = (3, 11)

if __name__ == "__main__":
    if sys.version_info < OLDEST:
        sys.exit(
            "Byline needs Python 3.11 or newer; {} is Python {}.{}. Install a newer one (from\n"
            "python.org or your system's packages), then: python3.11 scripts/dev.py".format(
                sys.executable, *sys.version_info
            )
        )
    from commands import main

    main()
