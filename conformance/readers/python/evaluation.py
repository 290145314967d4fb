"""Step 6: whether each risk of an update applies, and whether the update is recommended."""

import json
import re

IDENTIFIERS = r"[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*"
VERSION = rf"(?:0|[1-9]\d{{0,8}})\.(?:0|[1-9]\d{{0,8}})\.(?:0|[1-9]\d{{0,8}})(?:-{IDENTIFIERS})?(?:\+{IDENTIFIERS})?"
MARK = re.compile(rf"(?:(?P<alert>Preflight of )?(?P<source>{VERSION}) -> |Preflight=)(?P<target>{VERSION}): ", re.ASCII)
OMITTED_OWN = re.compile(r"And \d+ more of the preflight: see risks\.", re.ASCII)
REASON = re.compile(r"[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?")
MAX_MESSAGE, ROOM = 32_768, 32_668
NOT_EXPOSED, ACCEPTED, NOT_EVALUATED = "NotExposedToRisks", "AllExposedRisksAccepted", "EvaluationFailed"
CLEAR_TEXT = "No risk of this update applies to this cluster, so it is recommended."
ACCEPTED_TEXT = "Every risk of this update that applies to this cluster is accepted, so it is recommended."


def mark(source, target):
    return f"{source} -> {target}: "


def name_of(risk):
    return risk["name"]


def text_of(risk):
    return f"{risk['message']} {risk['url']}"


def find(conditions, kind):
    return next((one for one in conditions or [] if one["type"] == kind), None)


def set_condition(conditions, condition):
    """Replaces the condition of the same type in its place, or appends it."""
    if find(conditions, condition["type"]) is None:
        return conditions + [condition]
    return [condition if one["type"] == condition["type"] else one for one in conditions]


def timed(present, condition, now):
    """Keeps the present transition time as long as the status stays."""
    is_same = present is not None and present["status"] == condition["status"]
    time = present["lastTransitionTime"] if is_same else now.strftime("%Y-%m-%dT%H:%M:%SZ")
    return {**condition, "lastTransitionTime": time}


def version_key(text):
    """Orders versions by Semantic Versioning, and what is none below them."""
    if not re.fullmatch(VERSION, text, re.ASCII):
        return (0, text)
    core, _, pre = text.partition("+")[0].partition("-")
    identifiers = [(0, int(one), "") if one.isdigit() else (1, 0, one) for one in pre.split(".")] if pre else []
    return (1, [int(one) for one in core.split(".")], not pre, identifiers)


def definition(risk):
    return json.dumps({key: value for key, value in risk.items() if key != "conditions"}, sort_keys=True)


class Evaluation:
    def __init__(self, cluster_version, fields, known_risks, now):
        self.fields, self.now = fields, now
        self.present = {}
        for risk in known_risks:
            applies = find(risk.get("conditions"), "Applies")
            if applies:
                self.present[definition(risk)] = applies
        desired = (cluster_version.get("spec") or {}).get("desiredUpdate") or {}
        names = [one["name"] for one in desired.get("acceptRisks") or []]
        aliases = [name[len("Preflight") :] for name in names if re.match(r"Preflight[A-Z]", name)]
        self.accepted = frozenset(names + aliases)
        self.updates = (cluster_version.get("status") or {}).get("conditionalUpdates") or []

    def judge(self, update):
        """The update with Applies, riskNames and Recommended."""
        before = next((one for one in self.updates if one["release"] == update["release"]), {})
        conditions = before.get("conditions") or []
        recommended = find(conditions, "Recommended")
        risks, votes = [], []
        for risk in update["risks"]:
            applies = self.evaluate(risk, recommended, before.get("risks") or [])
            votes += self.vote(risk, applies)
            risk = {**risk, "conditions": set_condition(risk.get("conditions") or [], applies)}
            if "riskConditions" not in self.fields:
                del risk["conditions"]
            risks.append(risk)
        judged = {**update, "risks": risks}
        if "riskNames" in self.fields:
            judged["riskNames"] = [risk["name"] for risk in risks]
        judged["conditions"] = set_condition(conditions, timed(recommended, recommend(votes), self.now))
        return judged

    def evaluate(self, risk, recommended, risks):
        """Whether the risk applies. `recommended` is about `risks`: those that the update has in ClusterVersion."""
        own, present = find(risk.get("conditions"), "Applies"), self.present.get(definition(risk))
        if risk["matchingRules"][0]["type"] == "Always":
            if own and own["status"] == "True":
                is_same = present is not None and present["status"] == "True"
                since = {"lastTransitionTime": present["lastTransitionTime"]} if is_same else {}
                return {**timed(None, own, self.now), **own, **since}
            return timed(present, {"type": "Applies", "status": "True", "reason": "Match", "message": ""}, self.now)
        if own or present:
            return own or present
        status, reason, message = {
            True: ("True", "Match", ""),
            False: ("False", "NotMatch", ""),
            None: ("Unknown", NOT_EVALUATED, f"It is unknown whether {risk['name']} applies. {text_of(risk)}"),
        }[read_recommended(recommended, risks).get(risk["name"])]
        return timed(None, {"type": "Applies", "status": status, "reason": reason, "message": message}, self.now)

    def vote(self, risk, applies):
        """What one risk says of Recommended: status, reason and text."""
        if applies["status"] == "Unknown":
            return [("Unknown", NOT_EVALUATED, applies["message"])]
        if applies["status"] == "False":
            return []
        if risk["name"] in self.accepted:
            return [("True", ACCEPTED, None)]
        reason = risk["name"] if REASON.fullmatch(risk["name"]) else "ExposedToRisks"
        return [("False", reason, text_of(risk))]


def recommend(votes):
    statuses = {status for status, _, _ in votes}
    status = "False" if "False" in statuses else "Unknown" if "Unknown" in statuses else "True"
    reason = NOT_EXPOSED
    for _, further, _ in votes:
        reason = further if reason in (NOT_EXPOSED, ACCEPTED, further) else "MultipleReasons"
    texts = [text for _, _, text in votes if text is not None]
    message = join(texts) if texts else ACCEPTED_TEXT if votes else CLEAR_TEXT
    return {"type": "Recommended", "status": status, "reason": reason, "message": message}


def join(texts):
    whole = "\n\n".join(texts)
    if len(whole) <= MAX_MESSAGE:
        return whole
    order = sorted(range(len(texts)), key=lambda i: is_own(texts[i]))
    count, length = 0, 0
    for i in order:
        length += len(texts[i]) + 2
        if length > ROOM:
            break
        count += 1
    kept = set(order[: max(count, 1)])
    shown = [cut(text) for i, text in enumerate(texts) if i in kept]
    omitted = [text for i, text in enumerate(texts) if i not in kept]
    more = " of the preflight" if all(map(is_own, omitted)) else ""
    return "\n\n".join(shown + ([f"And {len(omitted)} more{more}: see risks."] if omitted else []))


def cut(text):
    return text if len(text) <= ROOM else text[: ROOM - 1] + "…"


def is_own(text):
    """Whether it is the text of a risk that a reader brought to ClusterVersion; an alert's is another source's."""
    found = MARK.match(text)
    return found is not None and found["alert"] is None


def read_recommended(condition, risks):
    """Whether each risk applies (True, False, or None if that is unknown), by name, as Recommended says."""
    status = condition["status"] if condition else None
    if status not in ("False", "Unknown"):
        return {risk["name"]: False if status == "True" else None for risk in risks}
    said, rest, is_understood = {}, condition["message"], condition["message"] != ""
    while rest:
        ends = []
        for risk in risks:
            value, end = read_text(rest, risk)
            if end:
                said[risk["name"]] = value
                ends.append(end)
        if not ends:
            ends = [len(rest.partition("\n\n")[0])]
            is_of_preflight = MARK.match(rest) or OMITTED_OWN.fullmatch(rest[: ends[0]])
            is_understood = is_understood and is_of_preflight is not None
        rest = rest[max(ends) + 2 :]
    others = False if is_understood and (status == "Unknown" or True in said.values()) else None
    for risk in risks:
        is_named = status == "False" and (len(risks) == 1 or risk["name"] == condition.get("reason"))
        said.setdefault(risk["name"], True if is_named else others)
    return said


def read_text(message, risk):
    """What the message begins with, if it is about the risk: whether it applies, and where that text ends."""
    name, text = risk["name"], text_of(risk)
    for whole in (text, cut(text)):
        if message.startswith(whole) and is_end(message, len(whole)):
            return True, len(whole)
    for begin, end in (
        (f"It is unknown whether {name} applies. ", text),
        (f"Could not evaluate exposure to update risk {name} (", f"\n  {name} URL: {risk['url']}"),
        (f"Exposure to {name} is unknown due to an evaluation failure: ", f"\n{text}"),
    ):
        at = message.find(end, len(begin)) if message.startswith(begin) else -1
        while at >= 0:
            if is_end(message, at + len(end)):
                return None, at + len(end)
            at = message.find(end, at + 1)
    return None, 0


def is_end(message, at):
    return at == len(message) or message.startswith("\n\n", at)
