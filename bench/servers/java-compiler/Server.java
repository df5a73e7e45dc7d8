// The server: the same check as interesting.sh, by the compiler in this process. docs/servers.md describes the protocol.
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

class Server {
    private static final Pattern SERIAL = Pattern.compile("\"serial\":\\s*(\\d+)");
    private static final Pattern PATH = Pattern.compile("\"path\":\\s*\"((?:[^\"\\\\]|\\\\.)*)\"");
    private static final Pattern TMP = Pattern.compile("\"tmp\":\\s*\"((?:[^\"\\\\]|\\\\.)*)\"");
    private static final JavaCompiler COMPILER = ToolProvider.getSystemJavaCompiler();

    private static boolean isInteresting(Path file, Path classes) throws Exception {
        var found = new DiagnosticCollector<JavaFileObject>();
        try (StandardJavaFileManager files = COMPILER.getStandardFileManager(found, null, StandardCharsets.UTF_8)) {
            var options = List.of("-proc:none", "-d", classes.toString());
            COMPILER.getTask(null, files, found, options, null, files.getJavaFileObjects(file)).call();
        }
        var errors = found.getDiagnostics().stream().filter(one -> one.getKind() == Diagnostic.Kind.ERROR);
        var codes = errors.map(Diagnostic::getCode).toList();
        return codes.equals(List.of("compiler.err.var.might.be.assigned.in.loop"));
    }

    private static String group(Pattern pattern, String line) {
        Matcher matcher = pattern.matcher(line);
        return matcher.find() ? matcher.group(1).replaceAll("\\\\(.)", "$1") : "";
    }

    public static void main(String[] arguments) throws Exception {
        PrintStream answers = System.out;
        System.setOut(System.err); // Standard output is for answers only.
        answers.println("{\"protocol\": 1}");
        var questions = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = questions.readLine(); line != null; line = questions.readLine()) {
            boolean interesting = isInteresting(Path.of(group(PATH, line)), Path.of(group(TMP, line)));
            String verdict = interesting ? "interesting" : "boring";
            answers.printf("{\"serial\": %s, \"verdict\": \"%s\"}%n", group(SERIAL, line), verdict);
        }
    }
}
