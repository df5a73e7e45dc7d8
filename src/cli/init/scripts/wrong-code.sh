#!/bin/sh
# Is the code still wrong? Exit code 0 says yes, 125 that this cannot tell, any other code no.
# Lopper runs this in an empty folder that holds only the candidate; $1 is the candidate's path.

# The program is valid: a compiler accepts it, with the warnings that hint at undefined behaviour as errors. Cheap
# steps come first, since most candidates fail here.
@REFERENCE@ @STRICT@ "$1" -o reference 2>/dev/null || exit 125
timeout @SECONDS@ ./reference >expected.txt 2>/dev/null </dev/null || exit 125

# The suspected compiler gives another answer.
@SUSPECT@ -w "$1" -o suspect 2>/dev/null || exit 1
timeout @SECONDS@ ./suspect >actual.txt 2>/dev/null </dev/null
cmp -s expected.txt actual.txt && exit 1
@SECOND@@SANITIZED@
exit 0
