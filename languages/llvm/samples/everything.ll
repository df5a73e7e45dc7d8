; a comment
source_filename = "everything.c"
target datalayout = "e-m:e-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

module asm ".globl other"

%pair = type { i32, [4 x i8] }
%list = type { i64, %list* }
$any = comdat any

@count = internal global i32 7, align 4
@text = private unnamed_addr constant [6 x i8] c"a\22b\0A\00c", align 1
@table = global [2 x %pair*] [%pair* null, %pair* @first], align 16
@first = external global %pair
@other = alias i32, i32* @count

define dso_local i32 @main(i32 noundef %0, i8** nocapture readonly %1) local_unnamed_addr #0 {
  %3 = alloca i32, align 4
  store i32 %0, i32* %3, align 4, !tbaa !5
  %4 = icmp sgt i32 %0, 2
  br i1 %4, label %5, label %more

5:                                                ; preds = %2
  %6 = call i32 (i8*, ...) @printf(i8* getelementptr inbounds ([6 x i8], [6 x i8]* @text, i64 0, i64 0), i32 %0)
  br label %more

more:                                             ; preds = %5, %2
  %7 = phi i32 [ 0, %2 ], [ %6, %5 ]
  switch i32 %7, label %done [
    i32 0, label %8
    i32 1, label %done
  ]

8:
  %9 = load i32, i32* @count, align 4
  %10 = add nsw i32 %9, -1
  %11 = select i1 true, i32 %10, i32 undef
  %12 = sext i32 %11 to i64
  %13 = fadd fast double 1.5, 0x3FF8000000000000
  call void @use(i64 %12, double %13)
  br label %done, !llvm.loop !7

done:
  %14 = call fastcc i32 @twice(i32 3) #1
  ret i32 %14
}

define internal fastcc i32 @twice(i32 %x) #0 comdat($any) {
  %y = shl i32 %x, 1
  ret i32 %y
}

declare i32 @printf(i8* nocapture, ...) #1
declare void @use(i64, double)

attributes #0 = { nounwind "frame-pointer"="none" }
attributes #1 = { nounwind }

!llvm.module.flags = !{!0}
!0 = !{i32 1, !"wchar_size", i32 4}
!5 = !{!6, !6, i64 0}
!6 = !{!"int", !9, i64 0}
!7 = distinct !{!7, !8}
!8 = !{!"llvm.loop.mustprogress"}
!9 = !{!"root"}
