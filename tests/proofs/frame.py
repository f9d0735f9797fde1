"""The frame of these tests: functions whose names begin with test_, one closing line."""

import sys
import time
import traceback


class Skip(Exception):
    pass


def main(tests):
    wanted = sys.argv[1:]
    passed = failed = skipped = 0
    for name, test in list(tests.items()):
        if not name.startswith("test_") or (wanted and name not in wanted):
            continue
        start = time.monotonic()
        try:
            said = test()
            passed += 1
            note = ", " + said if isinstance(said, str) else ""
            print("PASS %s (%.2f s%s)" % (name, time.monotonic() - start, note), flush=True)
        except Skip as skip:
            skipped += 1
            print("SKIP %s: %s" % (name, skip), flush=True)
        except Exception as error:
            failed += 1
            print("FAIL %s: %s" % (name, error), flush=True)
            traceback.print_exc(file=sys.stdout)
    print("%d passed, %d failed, %d skipped" % (passed, failed, skipped))
    sys.exit(1 if failed or passed + skipped == 0 else 0)
