#!/bin/sh
# Is the failure still there? Exit code 0 says yes, 125 that this cannot tell, any other code no.
# Lopper runs this in an empty folder that holds only the candidate; $1 is the candidate's path.

# The tool. A hang is not this failure, so it has a time limit.
timeout @SECONDS@ @COMMAND@ >out.txt 2>&1 </dev/null

# It ends as it did on the original (128 plus its number for a signal)...
[ $? -eq @STATUS@ ] || exit 1
@REPORT@
# Add what must stay true, such as another tool that accepts the program:
# gcc -fsyntax-only "$1" 2>/dev/null || exit 125
exit 0
