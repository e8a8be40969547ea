"""The animal store on Python's standard library. Start it with: python3 examples/python/server.py PORT"""

import json
import re
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, unquote

STATUSES = ("available", "pending", "sold")
KEYS = {"example-key": (5000, 60), "example-limit-key": (20, 3)}
INT64_MIN, INT64_MAX = -(2**63), 2**63 - 1
MAX_BODY = 1024 * 1024

pets = []
windows = {}
lock = threading.Lock()


class Refusal(Exception):
    """Ends a request with an Error."""

    def __init__(self, status, code, message):
        super().__init__(message)
        self.status = status
        self.error = {"code": code, "message": message, "status": status}


def bad_request(message):
    return Refusal(400, "bad_request", message)


def count_request(key):
    """Counts a request in its fixed window. Returns the rate limit headers, and whether the limit is exceeded."""
    limit, seconds = KEYS[key]
    now = time.time()
    window = int(now // seconds)
    with lock:
        before, count = windows.get(key, (window, 0))
        count = count + 1 if before == window else 1
        windows[key] = (window, count)
    reset = (window + 1) * seconds
    headers = rate_limit_headers(limit, max(0, limit - count), reset)
    if count > limit:
        headers["Retry-After"] = str(int(reset - now) + 1)
    return headers, count > limit


def rate_limit_headers(limit, remaining, reset):
    return {
        "X-RateLimit-Limit": str(limit),
        "X-RateLimit-Remaining": str(remaining),
        "X-RateLimit-Reset": str(reset),
    }


def is_integer(value):
    return isinstance(value, int) and not isinstance(value, bool) and INT64_MIN <= value <= INT64_MAX


def refuse_constant(name):
    raise ValueError(name)


def read_new_pet(body):
    try:
        value = json.loads(body.decode("utf-8"), parse_constant=refuse_constant)
    except (ValueError, RecursionError) as error:
        raise bad_request("The body is not JSON.") from error
    if not isinstance(value, dict):
        raise bad_request("The body is not an object.")
    name, category, status = value.get("name"), value.get("categoryId"), value.get("status", "available")
    if not isinstance(name, str):
        raise bad_request("name: expected a string")
    if not is_integer(category):
        raise bad_request("categoryId: expected an int64")
    if status not in STATUSES or not isinstance(status, str):
        raise bad_request("status: unknown")
    return {"name": name, "categoryId": category, "status": status}


def list_pets(query):
    given = dict(parse_qsl(query, keep_blank_values=True))
    limit, status = given.get("limit", "20"), given.get("status")
    if not re.fullmatch(r"[0-9]{1,3}", limit) or not 1 <= int(limit) <= 100:
        raise bad_request("limit: expected an integer from 1 to 100")
    if status is not None and status not in STATUSES:
        raise bad_request("status: unknown")
    with lock:
        listed = [pet for pet in reversed(pets) if status is None or pet["status"] == status]
    return 200, listed[: int(limit)]


def create_pet(body):
    pet = read_new_pet(body)
    with lock:
        pet = {"id": len(pets) + 1, **pet}
        pets.append(pet)
    return 201, pet


def get_pet(pet_id):
    if not re.fullmatch(r"-?[0-9]{1,19}", pet_id) or not is_integer(int(pet_id)):
        raise bad_request("petId: expected an int64")
    with lock:
        found = [pet for pet in pets if pet["id"] == int(pet_id)]
    if not found:
        raise Refusal(404, "not_found", "There is no animal with this id.")
    return 200, found[0]


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        """No access log."""

    def respond(self, status, value, headers):
        body = json.dumps(value).encode("utf-8")
        self.send_response(status)
        for name, text in {**headers, "Content-Type": "application/json"}.items():
            self.send_header(name, text)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def read_body(self):
        if self.headers.get("Transfer-Encoding", "").lower() == "chunked":
            return self.read_chunks()
        length = int(self.headers.get("Content-Length", "0"))
        if length > MAX_BODY:
            self.close_connection = True
            raise Refusal(413, "too_large", "The body is too large.")
        return self.rfile.read(length)

    def read_chunks(self):
        body = b""
        while True:
            size = int(self.rfile.readline().split(b";")[0], 16)
            body += self.rfile.read(size)
            if size == 0:
                while self.rfile.readline() not in (b"\r\n", b"\n", b""):
                    pass
                return body
            self.rfile.readline()
            if len(body) > MAX_BODY:
                self.close_connection = True
                raise Refusal(413, "too_large", "The body is too large.")

    def operation(self):
        path, _, query = self.path.partition("?")
        if not path.startswith("/v1/"):
            return None
        if (self.command, path) == ("GET", "/v1/pets"):
            return lambda _: list_pets(query)
        if (self.command, path) == ("POST", "/v1/pets"):
            return create_pet
        if (self.command, path) == ("GET", "/v1/store/orders"):
            return lambda _: (200, [])
        pet = re.fullmatch(r"/v1/pets/([^/]+)", path)
        if pet and self.command == "GET":
            return lambda _: get_pet(unquote(pet[1]))
        return None

    def handle_request(self):
        headers = rate_limit_headers(60, 60, int(time.time()) + 60)
        try:
            body = self.read_body()
            scheme, _, key = self.headers.get("Authorization", "").partition(" ")
            if scheme.lower() != "bearer" or key.strip() not in KEYS:
                headers["WWW-Authenticate"] = "Bearer"
                raise Refusal(401, "unauthorized", "The API key is missing or invalid.")
            headers, is_exceeded = count_request(key.strip())
            if is_exceeded:
                raise Refusal(429, "rate_limited", "The rate limit is used up.")
            operation = self.operation()
            if operation is None:
                raise Refusal(404, "not_found", "There is no such operation.")
            if self.command == "POST" and not self.headers.get("Content-Type", "").startswith("application/json"):
                raise bad_request("Content-Type: expected application/json")
            status, value = operation(body)
        except Refusal as refusal:
            status, value = refusal.status, refusal.error
        self.respond(status, value, headers)

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = do_HEAD = do_OPTIONS = handle_request


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128


if __name__ == "__main__":
    server = Server(("127.0.0.1", int(sys.argv[1])), Handler)
    print(f"http://127.0.0.1:{server.server_port}/v1", flush=True)
    server.serve_forever()
