#!/bin/sh
# Do the two tools still disagree? Exit code 0 says yes, 125 that this cannot tell, any other code no.
# Lopper runs this in an empty folder that holds only the candidate; $1 is the candidate's path.

# One of them accepts the program...
timeout @SECONDS@ @ACCEPTS@ >/dev/null 2>&1 </dev/null || exit 125

# ... and the other one refuses it.
timeout @SECONDS@ @COMMAND@ >out.txt 2>&1 </dev/null
[ $? -eq @STATUS@ ] || exit 1
@REPORT@
exit 0
