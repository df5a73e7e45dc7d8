#!/bin/sh
# Does the tool still hang? Exit code 0 says yes, 125 that this cannot tell, any other code no.
# Lopper runs this in an empty folder that holds only the candidate; $1 is the candidate's path.

# timeout exits with 124 if it had to end the tool. Every candidate that hangs costs this time: keep it short, but well
# above the time that the tool takes on other files of this size, on a busy machine.
timeout @SECONDS@ @COMMAND@ >/dev/null 2>&1 </dev/null
[ $? -eq 124 ] || exit 1

# Add what must stay true, such as another version of the tool that is fast:
# timeout 1 other-tool "$1" >/dev/null 2>&1 || exit 125
exit 0
