"""A server that answers as a language model does, or misbehaves as the test says, on this machine."""

import json
import socket
import threading
import time
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


def completion(text, *, model="judge-1", finish="stop"):
    """The body of a chat completion that says this."""
    message = {"role": "assistant", "content": text}
    return json.dumps({"model": model, "choices": [{"message": message, "finish_reason": finish}]})


class Model:
    """What was asked, and how to answer: `answer(question, number)` returns what `Handler._send` understands."""

    def __init__(self, answer):
        self.answer = answer
        self.questions = []
        self.bodies = []
        self.headers = []
        self.times = []
        self.most_at_once = 0
        self.url = ""
        self._now = 0
        self._lock = threading.Lock()
        self.ended = threading.Event()

    @contextmanager
    def noted(self, body, headers):
        with self._lock:
            self._now += 1
            self.most_at_once = max(self.most_at_once, self._now)
            self.questions.append(body["messages"][0]["content"])
            self.bodies.append(body)
            self.headers.append(headers)
            self.times.append(time.monotonic())
            number = len(self.questions)
        try:
            yield number
        finally:
            with self._lock:
                self._now -= 1


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        model = self.server.model
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        with model.noted(body, {"path": self.path, **self.headers}) as number:
            text = model.answer(body["messages"][0]["content"], number)
        self.close_connection = True
        if callable(text):
            text(self)
        elif isinstance(text, str):
            self.send(200, completion(text))
        else:
            self.send(*text)

    def send(self, status, text="", headers=None, kind="application/json"):
        data = text if isinstance(text, bytes) else text.encode()
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *args):
        pass


def hangs(handler):
    """Take the question and never answer."""
    handler.server.model.ended.wait(20)


def closes(handler):
    """Promise more than is sent, and close."""
    handler.send_response(200)
    handler.send_header("Content-Length", "1000")
    handler.end_headers()
    handler.wfile.write(b'{"choices": [')
    handler.wfile.flush()
    handler.connection.shutdown(socket.SHUT_RDWR)


def resets(handler):
    """Close at once, before a line was sent."""
    handler.connection.shutdown(socket.SHUT_RDWR)


def drips(handler):
    """Send a byte now and then, without an end; each resets the clock of a socket."""
    handler.send_response(200)
    handler.send_header("Content-Length", "100000")
    handler.end_headers()
    while not handler.server.model.ended.wait(0.05):
        handler.wfile.write(b" ")
        handler.wfile.flush()


def is_huge(handler):
    """Send more than anybody wants to keep."""
    handler.send(200, completion("7" * (5 << 20)))


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request, client_address):
        pass  # whoever asked has left


@contextmanager
def serving(answer):
    """A model at `model.url` as long as the block lasts."""
    model = Model(answer)
    server = Server(("127.0.0.1", 0), Handler)
    server.model = model
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    model.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    try:
        yield model
    finally:
        model.ended.set()
        server.shutdown()
        server.server_close()
        thread.join()


def closed_address():
    """An address where nobody listens."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{free.getsockname()[1]}/v1"
