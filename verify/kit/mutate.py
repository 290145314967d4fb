"""Changes one thing at a time in the Python reader, and asks of each part of the kit whether it notices.

Reads {"schema", "items", "seconds", "seed"} as JSON on stdin. An item has the name of a part of the kit and either a case or a text that
is a document or none. Prints a JSON line for each mutant: its label, and the names of the items that notice it. Of one that MANY notice
no more are asked: it tells nothing of whether one of them is needed."""

import ast
import json
import random
import signal
import sys
import time
import types
from functools import partial
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[2] / "conformance/readers/python"
# In the order in which they import each other. The last one runs the others and is not changed.
MODULES = ("document", "evaluation", "status", "kit")
OPPOSITES = {
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
    ast.Lt: ast.GtE, ast.GtE: ast.Lt, ast.Gt: ast.LtE, ast.LtE: ast.Gt,
}  # fmt: skip
BOUNDARIES = {ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt}
OTHER_CALLS = {"any": "all", "all": "any", "min": "max", "max": "min", "match": "search", "fullmatch": "match", "search": "match"}
MANY = 8
# Without the call, what it is given has the same type.
DROPPED_CALLS = ("sorted", "list", "set", "frozenset", "dict")


class Endless(Exception):
    """A mutant has taken fifty times the CPU of the reader."""


def find_changes(node):
    """What the node may become; an expression, or a statement."""
    yield from globals().get(f"change_{type(node).__name__}", lambda _: ())(node)


def change_Compare(node):
    for i, op in enumerate(node.ops):
        for table in (OPPOSITES, BOUNDARIES):
            if type(op) in table:
                yield replaced(node, ops=[*node.ops[:i], table[type(op)](), *node.ops[i + 1 :]])


def change_BoolOp(node):
    yield replaced(node, op=ast.And() if isinstance(node.op, ast.Or) else ast.Or())
    for i in range(len(node.values)):
        rest = without(node.values, i)
        yield rest[0] if len(rest) == 1 else replaced(node, values=rest)


def change_UnaryOp(node):
    yield node.operand


def change_BinOp(node):
    yield node.left
    yield node.right
    if isinstance(node.op, (ast.Add, ast.Sub)):
        yield replaced(node, op=ast.Sub() if isinstance(node.op, ast.Add) else ast.Add())


def change_If(node):
    yield replaced(node, test=ast.Constant(True))
    yield replaced(node, test=ast.Constant(False))


def change_IfExp(node):
    yield node.body
    yield node.orelse


def change_comprehension(node):
    for i in range(len(node.ifs)):
        yield replaced(node, ifs=without(node.ifs, i))


def change_Constant(node):
    if isinstance(node.value, bool):
        yield ast.Constant(not node.value)
    elif isinstance(node.value, int):
        yield ast.Constant(node.value + 1)
        yield ast.Constant(node.value - 1)
    elif isinstance(node.value, str) and node.value:
        yield ast.Constant("")


def change_List(node):
    for i in range(len(node.elts)):
        yield replaced(node, elts=without(node.elts, i))


def change_Tuple(node):
    if isinstance(node.ctx, ast.Load):
        yield from change_List(node)


def change_Dict(node):
    for i in range(len(node.keys)):
        yield replaced(node, keys=without(node.keys, i), values=without(node.values, i))


def change_JoinedStr(node):
    for i in range(len(node.values)):
        yield replaced(node, values=without(node.values, i))


def change_Call(node):
    name = getattr(node.func, "id", getattr(node.func, "attr", ""))
    if name in OTHER_CALLS:
        key = "id" if isinstance(node.func, ast.Name) else "attr"
        yield replaced(node, func=replaced(node.func, **{key: OTHER_CALLS[name]}))
    if name in DROPPED_CALLS and node.args:
        yield node.args[0]
    for i in range(len(node.keywords)):
        yield replaced(node, keywords=without(node.keywords, i))
    if isinstance(node.func, ast.Attribute):
        yield node.func.value


def change_Slice(node):
    if node.lower and node.upper:
        yield replaced(node, lower=None)
        yield replaced(node, upper=None)


def change_Return(node):
    if node.value:
        yield replaced(node, value=None)


def change_Expr(node):
    if not isinstance(node.value, ast.Constant):
        yield ast.Pass()


change_Raise = change_AugAssign = change_Continue = change_Break = lambda _: (ast.Pass(),)
change_Set = change_List


def replaced(node, **fields):
    return type(node)(**{**dict(ast.iter_fields(node)), **fields})


def without(values, i):
    return [*values[:i], *values[i + 1 :]]


def find_mutants(module, source):
    """(label, line, function that builds the changed tree) of every change; the line is None if it runs while the module is loaded."""
    tree = ast.parse(source)
    for statement in tree.body:
        is_loaded = not isinstance(statement, (ast.FunctionDef, ast.ClassDef))
        for node in walk(statement):
            for changed in find_changes(node):
                line = getattr(node, "lineno", statement.lineno)
                label = f"conformance/readers/python/{module}.py:{line}  {show(node)} -> {show(changed)}"
                yield label, None if is_loaded else line, partial(put, tree, node, changed)


def walk(node):
    """All that the kit could notice: no imports, no texts about the code, and none of the messages, which are free."""
    yield node
    is_text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    if not is_text and not isinstance(node, (ast.Import, ast.ImportFrom, ast.Yield, ast.Raise)):
        for child in ast.iter_child_nodes(node):
            yield from walk(child)


def show(node):
    # A comprehension's for is no node that could be printed alone.
    text = ", ".join(map(ast.unparse, node.ifs)) if isinstance(node, ast.comprehension) else ast.unparse(node)
    line = text.partition("\n")[0]
    return line if len(line) <= 100 else line[:99] + "…"


def put(at, node, changed):
    """The tree with another node in place of one; what is not above it is shared."""
    if at is node:
        return changed
    if not isinstance(at, ast.AST):
        return at
    fields = {}
    for name, value in ast.iter_fields(at):
        after = [put(one, node, changed) for one in value] if isinstance(value, list) else put(value, node, changed)
        if after is not value and (after != value or not isinstance(value, list)):
            fields[name] = after
    return ast.copy_location(replaced(at, **fields), at) if fields else at


def load(codes):
    """The reader's last module, from the code of each."""
    try:
        for name in MODULES:
            module = types.ModuleType(name)
            sys.modules[name] = module
            exec(codes[name], module.__dict__)
        return sys.modules[MODULES[-1]]
    finally:
        for name in MODULES:
            sys.modules.pop(name, None)


def passes(kit, item, schema):
    if "text" in item:
        return (kit.find_problems(item["text"], schema) == []) == item["isValid"]
    return kit.play(item["case"], schema) == item["expected"]


def measure(kit, item, schema):
    """The item with the (module, line) pairs that it reaches, and the seconds of CPU that it takes."""
    reached = set()

    def follow(frame, event, _):
        reached.add((frame.f_code.co_filename, frame.f_lineno))
        return follow

    begun = time.process_time()
    if not passes(kit, item, schema):
        raise SystemExit(f"without a mutant, {item['name']} does not pass")
    seconds = time.process_time() - begun
    sys.settrace(follow)
    passes(kit, item, schema)
    sys.settrace(None)
    return {**item, "reached": reached, "seconds": seconds}


def notices(kit, item, schema):
    signal.setitimer(signal.ITIMER_VIRTUAL, 50 * item["seconds"] + 1)
    try:
        return not passes(kit, item, schema)
    except Exception:
        return True
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


def end(*_):
    raise Endless


def main():
    kit = json.load(sys.stdin)
    signal.signal(signal.SIGVTALRM, end)
    sources = {name: (FOLDER / f"{name}.py").read_text() for name in MODULES}
    codes = {name: compile(source, name, "exec") for name, source in sources.items()}
    whole = load(codes)
    # The quick ones first, since the slow ones are often not asked.
    measured = sorted((measure(whole, item, kit["schema"]) for item in kit["items"]), key=lambda one: one["seconds"])
    everything = set().union(*(item["reached"] for item in measured))
    mutants = [(name, *mutant) for name in MODULES[:-1] for mutant in find_mutants(name, sources[name])]
    mutants = [one for one in mutants if one[2] is None or (one[0], one[2]) in everything]
    random.Random(kit["seed"]).shuffle(mutants)
    finish = time.monotonic() + kit["seconds"]
    for name, label, line, build in mutants:
        if time.monotonic() > finish:
            break
        try:
            changed = load({**codes, name: compile(ast.fix_missing_locations(build()), name, "exec")})
        except Exception:
            continue
        by = []
        for item in measured:
            if len(by) < MANY and (line is None or (name, line) in item["reached"]) and notices(changed, item, kit["schema"]):
                by.append(item["name"])
        print(json.dumps({"label": label, "by": sorted(set(by)), "isCut": len(by) == MANY}), flush=True)


if __name__ == "__main__":
    main()
