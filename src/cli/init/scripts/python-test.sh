#!/bin/sh
# Does the test still fail in the same way? Exit code 0 says yes, 125 that this cannot tell, any other code no.
# Lopper runs this in an empty folder that holds only the candidate; $1 is the candidate's path.

# The test that fails. -B writes no byte code, and PYTHONHASHSEED=0 fixes the order of sets.
export PYTHONHASHSEED=0
timeout @SECONDS@ @COMMAND@ >out.txt 2>&1 </dev/null
[ $? -eq @STATUS@ ] || exit 1
@REPORT@
# Check that the function under test still works for another input: otherwise the result may be a program in which
# nothing works. For example:
# python3 -B -c 'import @MODULE@ as m; assert m.f(1) == 1' 2>/dev/null || exit 1
exit 0
