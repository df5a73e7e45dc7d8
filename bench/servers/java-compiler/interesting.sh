#!/bin/sh
# The compiler finds an assignment in a loop to a final variable, and nothing else that is wrong.
timeout 30 javac -J-XX:+UseSerialGC -J-XX:TieredStopAtLevel=1 -XDrawDiagnostics -proc:none -d classes "$1" >out.txt 2>&1 && exit 1
grep -q ' compiler\.err\.var\.might\.be\.assigned\.in\.loop: ' out.txt && [ "$(grep -c ' compiler\.err\.' out.txt)" = 1 ]
