// The animal store on the HTTP server of the JDK. Start it with: java examples/java/Server.java PORT

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executors;

public final class Server {
  private static final int MAX_BODY = 1024 * 1024;
  private static final Set<String> STATUSES = Set.of("available", "pending", "sold");
  private static final Map<String, Limit> KEYS =
      Map.of("example-key", new Limit(5000, 60), "example-limit-key", new Limit(20, 3));

  record Limit(long requests, long seconds) {}

  record Window(long number, long count) {}

  record Pet(long id, String name, long categoryId, String status) {
    String json() {
      return "{\"id\":%d,\"name\":%s,\"categoryId\":%d,\"status\":\"%s\"}".formatted(id, Json.quote(name), categoryId, status);
    }
  }

  record Result(int status, String body) {}

  /** Ends a request with an Error. */
  static final class Refusal extends Exception {
    final Result result;

    Refusal(int status, String code, String message) {
      super(message);
      result = new Result(status, "{\"code\":\"%s\",\"message\":%s,\"status\":%d}".formatted(code, Json.quote(message), status));
    }
  }

  private static Refusal badRequest(String message) {
    return new Refusal(400, "bad_request", message);
  }

  private final List<Pet> pets = new ArrayList<>();
  private final Map<String, Window> windows = new HashMap<>();

  private static void setLimit(HttpExchange exchange, long requests, long remaining, long reset) {
    var headers = exchange.getResponseHeaders();
    headers.set("X-RateLimit-Limit", Long.toString(requests));
    headers.set("X-RateLimit-Remaining", Long.toString(Math.max(0, remaining)));
    headers.set("X-RateLimit-Reset", Long.toString(reset));
  }

  /** Counts a request in its fixed window. */
  private synchronized void count(String key, HttpExchange exchange) throws Refusal {
    var limit = KEYS.get(key);
    long now = Instant.now().getEpochSecond();
    long number = now / limit.seconds();
    var before = windows.getOrDefault(key, new Window(number, 0));
    long count = before.number() == number ? before.count() + 1 : 1;
    windows.put(key, new Window(number, count));
    long reset = (number + 1) * limit.seconds();
    setLimit(exchange, limit.requests(), limit.requests() - count, reset);
    if (count <= limit.requests()) return;
    exchange.getResponseHeaders().set("Retry-After", Long.toString(reset - now));
    throw new Refusal(429, "rate_limited", "The rate limit is used up.");
  }

  private static Map<String, String> parameters(String query) {
    var found = new HashMap<String, String>();
    if (query == null) return found;
    for (var field : query.split("&")) {
      var parts = field.split("=", 2);
      found.putIfAbsent(decode(parts[0].replace('+', ' ')), parts.length < 2 ? "" : decode(parts[1].replace("+", " ")));
    }
    return found;
  }

  /** Percent-encoding; what is none is taken as it is. */
  private static String decode(String text) {
    try {
      return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException error) {
      return text;
    }
  }

  private synchronized Result list(Map<String, String> query) throws Refusal {
    var limit = query.getOrDefault("limit", "20");
    if (!limit.matches("[1-9][0-9]?|100")) throw badRequest("limit: expected an integer from 1 to 100");
    var status = query.get("status");
    if (status != null && !STATUSES.contains(status)) throw badRequest("status: unknown");
    var listed = new ArrayList<String>();
    for (int at = pets.size() - 1; at >= 0 && listed.size() < Integer.parseInt(limit); at--)
      if (status == null || pets.get(at).status().equals(status)) listed.add(pets.get(at).json());
    return new Result(200, "[" + String.join(",", listed) + "]");
  }

  private Result create(byte[] body) throws Refusal {
    if (!(Json.read(body) instanceof Map<?, ?> sent)) throw badRequest("The body is no JSON object.");
    if (!(sent.get("name") instanceof String name)) throw badRequest("name: expected a string");
    if (!(sent.get("categoryId") instanceof Long category)) throw badRequest("categoryId: expected an int64");
    Object status = sent.containsKey("status") ? sent.get("status") : "available";
    if (!(status instanceof String text) || !STATUSES.contains(text)) throw badRequest("status: unknown");
    synchronized (this) {
      var pet = new Pet(pets.size() + 1, name, category, text);
      pets.add(pet);
      return new Result(201, pet.json());
    }
  }

  private synchronized Result get(String text) throws Refusal {
    if (!text.matches("-?[0-9]{1,19}")) throw badRequest("petId: expected an int64");
    try {
      long id = Long.parseLong(text);
      if (id < 1 || id > pets.size()) throw new Refusal(404, "not_found", "There is no animal with this id.");
      return new Result(200, pets.get((int) id - 1).json());
    } catch (NumberFormatException error) {
      throw badRequest("petId: expected an int64");
    }
  }

  private Result operate(HttpExchange exchange, byte[] body) throws Refusal {
    var uri = exchange.getRequestURI();
    var path = uri.getRawPath();
    var operation = exchange.getRequestMethod() + " " + path;
    if (operation.equals("GET /v1/pets")) return list(parameters(uri.getRawQuery()));
    if (operation.equals("GET /v1/store/orders")) return new Result(200, "[]");
    if (operation.equals("POST /v1/pets")) {
      var type = exchange.getRequestHeaders().getFirst("Content-Type");
      if (type == null || !type.startsWith("application/json")) throw badRequest("Content-Type: expected application/json");
      return create(body);
    }
    if (operation.matches("GET /v1/pets/[^/]+")) return get(decode(path.substring("/v1/pets/".length())));
    throw new Refusal(404, "not_found", "There is no such operation.");
  }

  private Result serve(HttpExchange exchange) throws IOException {
    setLimit(exchange, 60, 60, Instant.now().getEpochSecond() + 60);
    try {
      var body = exchange.getRequestBody().readNBytes(MAX_BODY + 1);
      if (body.length > MAX_BODY) throw new Refusal(413, "too_large", "The body is too large.");
      var given = exchange.getRequestHeaders().getFirst("Authorization");
      var parts = given == null ? new String[0] : given.split(" +", 2);
      var key = parts.length == 2 && parts[0].equalsIgnoreCase("bearer") ? parts[1].strip() : "";
      if (!KEYS.containsKey(key)) {
        exchange.getResponseHeaders().set("WWW-Authenticate", "Bearer");
        throw new Refusal(401, "unauthorized", "The API key is missing or invalid.");
      }
      count(key, exchange);
      return operate(exchange, body);
    } catch (Refusal refusal) {
      return refusal.result;
    }
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      var result = serve(exchange);
      var body = result.body().getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().set("Content-Type", "application/json");
      boolean isHead = exchange.getRequestMethod().equals("HEAD");
      exchange.sendResponseHeaders(result.status(), isHead ? -1 : body.length);
      if (!isHead) exchange.getResponseBody().write(body);
    }
  }

  public static void main(String[] words) throws IOException {
    var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(words[0]));
    var http = HttpServer.create(address, 128);
    http.setExecutor(Executors.newFixedThreadPool(32));
    http.createContext("/", new Server()::handle);
    http.start();
    System.out.printf("http://127.0.0.1:%d/v1%n", http.getAddress().getPort());
  }

  /** JSON as the store needs it: integers of 64 bits are Long, other numbers are Double. */
  static final class Json {
    private static final int DEEPEST = 500;
    private final String text;
    private int at = 0;

    private Json(String text) {
      this.text = text;
    }

    /** Throws a refusal if the bytes are no JSON in UTF-8. */
    static Object read(byte[] bytes) throws Refusal {
      try {
        var json = new Json(StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString());
        var value = json.value(0);
        json.space();
        if (json.at < json.text.length()) throw badRequest("The body is not JSON.");
        return value;
      } catch (CharacterCodingException | NumberFormatException | IndexOutOfBoundsException error) {
        throw badRequest("The body is not JSON.");
      }
    }

    static String quote(String text) {
      var quoted = new StringBuilder("\"");
      for (char unit : text.toCharArray()) {
        if (unit == '"' || unit == '\\') quoted.append('\\').append(unit);
        else if (unit < 0x20 || Character.isSurrogate(unit)) quoted.append("\\u%04x".formatted((int) unit));
        else quoted.append(unit);
      }
      return quoted.append('"').toString();
    }

    private void space() {
      while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) at++;
    }

    private boolean take(String token) {
      space();
      boolean isNext = text.startsWith(token, at);
      if (isNext) at += token.length();
      return isNext;
    }

    private void need(String token) throws Refusal {
      if (!take(token)) throw badRequest("The body is not JSON.");
    }

    private Object value(int depth) throws Refusal {
      if (depth > DEEPEST) throw badRequest("The body is nested too deep.");
      if (take("{")) return object(depth);
      if (take("[")) return list(depth);
      if (take("\"")) return string();
      if (take("true")) return true;
      if (take("false")) return false;
      if (take("null")) return null;
      return number();
    }

    private Map<String, Object> object(int depth) throws Refusal {
      var members = new HashMap<String, Object>();
      if (take("}")) return members;
      do {
        need("\"");
        var name = string();
        need(":");
        members.put(name, value(depth + 1));
      } while (take(","));
      need("}");
      return members;
    }

    private List<Object> list(int depth) throws Refusal {
      var items = new ArrayList<>();
      if (take("]")) return items;
      do items.add(value(depth + 1)); while (take(","));
      need("]");
      return items;
    }

    private String string() throws Refusal {
      var read = new StringBuilder();
      for (char unit = text.charAt(at++); unit != '"'; unit = text.charAt(at++)) {
        if (unit < 0x20) throw badRequest("The body is not JSON.");
        read.append(unit == '\\' ? escaped() : unit);
      }
      return read.toString();
    }

    private char escaped() throws Refusal {
      char unit = text.charAt(at++);
      int known = "\"\\/bfnrt".indexOf(unit);
      if (known >= 0) return "\"\\/\b\f\n\r\t".charAt(known);
      var digits = text.substring(at, at + 4);
      if (unit != 'u' || !digits.matches("[0-9a-fA-F]{4}")) throw badRequest("The body is not JSON.");
      at += 4;
      return (char) Integer.parseInt(digits, 16);
    }

    private Object number() throws Refusal {
      int start = at;
      while (at < text.length() && "+-.eE0123456789".indexOf(text.charAt(at)) >= 0) at++;
      var digits = text.substring(start, at);
      if (!digits.matches("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?")) throw badRequest("The body is not JSON.");
      try {
        return Long.valueOf(digits);
      } catch (NumberFormatException error) {
        return Double.valueOf(digits);
      }
    }
  }
}
