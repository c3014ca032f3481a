"""Runs Python in a box: names of Playwright for Python, carried out by the runner's Playwright.

Methods are awaited as there; keyword arguments become options.
"""
import ast, asyncio, base64, inspect, json, re, socket, sys, traceback

class Error(Exception):
    """What Playwright says when something did not work."""

class TimeoutError(Error):
    pass

class Connection:
    def __init__(self):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect("/tmp/.page.sock")
        self.file = self.socket.makefile("rw", encoding="utf-8")

    def call(self, ref, method, args, kwargs):
        options = {camel(name): outgoing(value) for name, value in kwargs.items() if value is not None}
        words = [outgoing(value) for value in args] + ([options] if options else [])
        self.file.write(json.dumps({"ref": ref, "method": camel(method), "args": words}) + "\n")
        self.file.flush()
        return incoming(json.loads(self.file.readline()))

NAMES = {"waitForUrl": "waitForURL", "innerHtml": "innerHTML", "querySelector": "$", "querySelectorAll": "$$",
    "evalOnSelector": "$eval", "evalOnSelectorAll": "$$eval"}

def camel(name):
    if name in ("and_", "or_"):
        return name[:-1]
    first, *rest = name.split("_")
    text = first + "".join(part[:1].upper() + part[1:] for part in rest)
    return NAMES.get(text, text)

def outgoing(value):
    if isinstance(value, Remote):
        return {"$ref": value._ref}
    if isinstance(value, re.Pattern):
        flags = "".join(letter for flag, letter in ((re.I, "i"), (re.M, "m"), (re.S, "s")) if value.flags & flag)
        return {"$pattern": value.pattern, "flags": flags}
    if callable(value):
        raise Error("Functions cannot be given to the page here. Give JavaScript as text.")
    if isinstance(value, dict):
        return {name: outgoing(one) for name, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [outgoing(one) for one in value]
    return value

def incoming(answer):
    if "error" in answer:
        raise (TimeoutError if "Timeout" in answer["error"] else Error)(answer["error"])
    if "bytes" in answer:
        return base64.b64decode(answer["bytes"])
    if "list" in answer:
        return [incoming(one) for one in answer["list"]]
    return Remote(answer["ref"]) if "ref" in answer else answer["value"]

AT_ONCE = {"locator", "get_by_role", "get_by_text", "get_by_label", "get_by_placeholder", "get_by_test_id",
    "get_by_title", "get_by_alt_text", "frame_locator", "nth", "filter", "and_", "or_", "is_closed", "frame",
    "set_default_timeout", "set_default_navigation_timeout", "is_connected"}
VALUES = {"keyboard", "mouse", "touchscreen", "request"}
FACTS = {"url", "context", "main_frame", "frames", "pages", "first", "last", "viewport_size", "contexts", "browser",
    "page", "status", "ok", "headers", "status_text", "owner", "content_frame", "parent_frame", "name"}

class Remote:
    def __init__(self, ref):
        self._ref = ref

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        if name in FACTS or name in VALUES:
            return connection.call(self._ref, name, (), {})
        if name in AT_ONCE:
            return lambda *args, **kwargs: connection.call(self._ref, name, args, kwargs)

        async def method(*args, **kwargs):
            return connection.call(self._ref, name, args, kwargs)

        return method

    def __repr__(self):
        return f"<{self._ref}>"

connection = Connection()
kind, code = sys.argv[1:]
if kind == "--file":
    with open(code, encoding="utf-8") as file:
        code = file.read()
names = {"page": Remote("page"), "context": Remote("context"), "browser": Remote("browser"), "Error": Error,
    "TimeoutError": TimeoutError, "__name__": "__main__"}

async def main():
    compiled = compile(ast.parse(code), "<code>", "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    result = eval(compiled, names)
    if inspect.iscoroutine(result):
        await result

try:
    asyncio.run(main())
except Exception as failure:
    frames = [frame for frame in traceback.extract_tb(failure.__traceback__) if frame.filename == "<code>"]
    print("Traceback (most recent call last):", file=sys.stderr)
    print("".join(traceback.format_list(frames)), end="", file=sys.stderr)
    print("".join(traceback.format_exception_only(failure)), end="", file=sys.stderr)
    sys.exit(1)
