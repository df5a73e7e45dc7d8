import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Weather of a week, by station. */
class Weather {
    enum Sky { CLEAR, CLOUDS, RAIN }

    record Reading(String station, int day, double degrees, Sky sky) {
        boolean isWarm() {
            return degrees > 20 && sky != Sky.RAIN;
        }
    }

    interface Filter {
        boolean accepts(Reading reading);
    }

    private final Map<String, List<Reading>> readings = new HashMap<>();
    private int dropped = 0;

    void add(Reading reading) {
        if (reading.day() < 0 || reading.day() > 6) {
            dropped++;
            return;
        }
        readings.computeIfAbsent(reading.station(), name -> new ArrayList<>()).add(reading);
    }

    double mean(String station, Filter filter) {
        double sum = 0;
        int count = 0;
        for (Reading reading : readings.getOrDefault(station, List.of())) {
            if (filter.accepts(reading)) {
                sum += reading.degrees();
                count++;
            }
        }
        return count == 0 ? Double.NaN : sum / count;
    }

    int lastWarmDay(String station) {
        final int last;
        for (Reading reading : readings.get(station)) {
            if (reading.isWarm()) {
                last = reading.day();
            }
        }
        return dropped;
    }

    String describe(Sky sky) {
        return switch (sky) {
            case CLEAR -> "clear";
            case CLOUDS -> "some clouds";
            case RAIN -> "rain";
        };
    }

    public static void main(String[] args) {
        Weather weather = new Weather();
        weather.add(new Reading("harbour", 2, 21.5, Sky.CLEAR));
        weather.add(new Reading("harbour", 3, 17.0, Sky.RAIN));
        weather.add(new Reading("hill", 9, 11.0, Sky.CLOUDS));
        System.out.println(weather.mean("harbour", Reading::isWarm));
        System.out.println(weather.describe(Sky.RAIN) + " on day " + weather.lastWarmDay("harbour"));
    }
}
