"""A web server as a process, and clients that speak HTTP to it by hand."""

import os
import shutil
import signal
import socket
import subprocess
import sys
from contextlib import closing, contextmanager
from pathlib import Path

from tests import ports
from tests.waiting import wait_for

ROOT = Path(__file__).resolve().parents[3]
NGINX = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin")
OPTIONS = "python:contest.server.web"


class Process:
    """A web server that listens on a port."""

    def __init__(self, log, port, command, environment=os.environ):
        self.log, self.port, self.command, self.environment = log, port, command, environment
        self.start()

    def start(self):
        with self.log.open("ab") as file:
            self.process = subprocess.Popen(self.command, cwd=ROOT, env=self.environment, stdout=file, stderr=file)
        wait_for(self.answers, self.log.read_text)

    def answers(self):
        assert self.process.poll() is None, self.log.read_text()
        with closing(socket.socket()) as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    def client(self, address="127.0.0.1"):
        return closing(Client(self.port, address))

    def get(self, target, address="127.0.0.1", **headers):
        with self.client(address) as client:
            client.ask(target, **headers)
            return client.answer()

    def stop(self, number=signal.SIGTERM):
        self.process.send_signal(number)
        self.process.wait(60)


class Server(Process):
    """gunicorn with the portal's options."""

    def __init__(self, log, *options, environment=os.environ):
        port = ports.free_port()
        command = [sys.executable, "-m", "gunicorn", "-c", OPTIONS, "--bind", f"127.0.0.1:{port}", *options]
        super().__init__(log, port, command, environment)


class Nginx(Process):
    """In front of a portal at this port, with the file that we publish. What it writes is in `folder`."""

    def __init__(self, folder, portal):
        port, told = ports.free_port(), (ROOT / "docker" / "nginx.conf").read_text()
        for old, new in (
            ("web:8000", f"127.0.0.1:{portal}"),
            ("listen 80;", f"listen 127.0.0.1:{port};"),
            ("/var/cache/nginx/kibitz", f"{folder}/cache"),
            ("/var/log/nginx", str(folder)),
        ):
            assert old in told
            told = told.replace(old, new)
        kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        temporary = " ".join(f"{name}_temp_path {folder}/{name};" for name in kinds)
        file = folder / "nginx.conf"
        file.write_text(
            f"daemon off; worker_processes 1; worker_rlimit_nofile 60000; pid {folder}/pid; error_log stderr;\n"
            f"{'user root; ' if os.getuid() == 0 else ''}events {{ worker_connections 20000; }}\n"
            f"http {{ access_log off; {temporary}\n{told} }}\n"
        )
        super().__init__(folder / "nginx.log", port, [NGINX, "-p", str(folder), "-e", "stderr", "-c", str(file)])


class Client:
    def __init__(self, port, address="127.0.0.1"):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=60, source_address=(address, 0))
        self.file = self.socket.makefile("rb")

    def close(self):
        self.file.close()
        self.socket.close()

    def send(self, data):
        self.socket.sendall(data)

    def ask(self, target, method="GET", body=None, **headers):
        lines = [f"{method} {target} HTTP/1.1", "Host: localhost"]
        lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
        if body is not None:
            lines.append(f"Content-Length: {len(body)}")
        self.send("\r\n".join([*lines, "", ""]).encode() + (body or b""))

    def head(self):
        """Status and headers of the next answer."""
        status = int(self.file.readline().split()[1])
        headers = {}
        while (line := self.file.readline().decode().strip()) != "":
            name, _, value = line.partition(":")
            headers[name.lower()] = value.strip()
        return status, headers

    def answer(self, *, has_body=True):
        status, headers = self.head()
        if not has_body or status in (204, 304):
            return status, headers, b""
        if headers.get("transfer-encoding") == "chunked":
            return status, headers, b"".join(iter(self._piece, b""))
        return status, headers, self.file.read(int(headers["content-length"]))

    def _piece(self):
        piece = self.file.read(int(self.file.readline(), 16))
        self.file.readline()
        return piece


@contextmanager
def started(log, *options, **more):
    server = Server(log, *options, **more)
    try:
        yield server
    finally:
        server.process.kill()
        server.process.wait()
