"""Makes ClusterVersion's status of a document, by the steps of the page of the cases."""

import re
from datetime import timedelta

from document import FURTHER_RISKS, DocumentInvalid, DocumentMissing, DocumentUnreadable, parse_time
from evaluation import MARK, Evaluation, definition, find, mark, name_of, set_condition, timed, version_key

ALWAYS = [{"type": "Always"}]
FURTHER_TEXT = "{} more risks of this preflight exceed ClusterVersion's limits. The document lists them all."
FURTHER_URL = (
    "https://docs.redhat.com/en/documentation/openshift_container_platform/latest/html/updating_clusters/index"
)
DIGEST = re.compile(r"@(sha256:[0-9a-f]{64})\Z")
RISKS_OF_UPDATE, NAMES, UPDATES, RISKS_OF_OTHERS = 200, 500, 500, 15
CONDITIONS = ("PreflightRunning", "PreflightCompleted", "PreflightFailed")
# PreflightFailed has these reasons too, and NoDocumentInTime for the others.
REPEATED = ("CycleFailed", "DocumentInvalid", "DocumentBeforeRequest", "DocumentInFuture", "DocumentOlder", "DocumentStale")


class Reader:
    """Keeps the last completed result from step to step."""

    def __init__(self, fields):
        self.fields = frozenset(fields)
        self.kept = None

    def step(self, cluster_version, now, preflight):
        """The new status. `preflight` is None if none is requested; else it has target, requestedAt and document,
        a valid document or the exception that reading it raised."""
        status = cluster_version.get("status") or {}
        history = status.get("history") or [{}]
        is_requested = preflight is not None and history[0].get("state") != "Partial"
        verdict, target_reason, image = None, None, None
        if is_requested:
            image, target_reason = find_image(cluster_version, preflight["target"])
            verdict = self.judge(cluster_version, now, preflight, image)
        else:
            self.kept = None
        updates, problems = self.show(cluster_version, now, image)
        conditions = []
        if is_requested:
            reason = target_reason or next(iter(problems), None)
            conditions = self.report(status, now, verdict, reason)
        return self.build_status(status, updates, conditions, is_requested), conditions

    # Step 3

    def judge(self, cluster_version, now, preflight, image):
        """None if the document was accepted, else the reason why not."""
        source, target = running_version(cluster_version), preflight["target"]
        self.kept = self.select_kept(cluster_version, source, target, image)
        document = preflight["document"]
        for kind in (DocumentMissing, DocumentUnreadable, DocumentInvalid):
            if isinstance(document, kind):
                return kind.__name__
        reason = reject(document, source, target, image, preflight.get("requestedAt"), now) or self.reject_older(document, now)
        if reason is None:
            source = document.get("sourceVersion", source)
            self.kept = self.build_kept(document, source, target, image, now)
        return reason

    def select_kept(self, cluster_version, source, target, image):
        kept = self.kept
        if kept and (kept["source"], kept["target"]) == (source, target):
            return None if kept["image"] and image and kept["image"] != image else kept
        by_name = {}
        for update in (cluster_version.get("status") or {}).get("conditionalUpdates") or []:
            for risk in update["risks"]:
                versions = own_versions(risk)
                if versions and versions[1] == target and (versions[0] or source) == source:
                    by_name.setdefault(risk["name"], risk)
        if not by_name:
            return None
        return {"source": source, "target": target, "image": None, "observedAt": None, "risks": list(by_name.values())}

    def reject_older(self, document, now):
        last = self.kept and parse_time(self.kept["observedAt"])
        if last is None or last > now or "observedAt" not in document:
            return None
        return "DocumentOlder" if parse_time(document["observedAt"]) < last else None

    def build_kept(self, document, source, target, image, now):
        times = {}
        for risk in (self.kept or {"risks": []})["risks"]:
            applies = find(risk.get("conditions"), "Applies")
            if applies and applies["status"] == "True":
                times[risk["name"]] = applies["lastTransitionTime"]
        risks = []
        for risk in document["risks"]:
            applies = dict((risk.get("conditions") or [{"type": "Applies", "status": "True", "reason": "Match", "message": ""}])[0])
            applies["lastTransitionTime"] = times.get(risk["name"]) or applies.get("lastTransitionTime") or now.strftime("%Y-%m-%dT%H:%M:%SZ")
            text = risk["message"]
            before = own_mark(text)
            text = mark(source, target) + (text[before.end() :] if before else text)
            risks.append({"name": risk["name"], "message": text, "url": risk["url"], "matchingRules": ALWAYS, "conditions": [applies]})
        return {"source": source, "target": target, "image": image, "observedAt": document.get("observedAt"), "risks": risks, "complete": document.get("complete")}

    # Steps 4 to 6

    def show(self, cluster_version, now, image):
        status = cluster_version.get("status") or {}
        present = status.get("conditionalUpdates") or []
        listed = status.get("conditionalUpdateRisks") or []
        available, conditional, changed = remove_own(status.get("availableUpdates") or [], present)
        kept, problems = self.kept, []
        if kept and kept["risks"] and image:
            others = [risk for risk in listed if not own_versions(risk)]
            available, conditional, problems, is_merged = merge(available, conditional, others, kept)
            if is_merged:
                changed = changed | {kept["target"]}
        if not changed:
            return (available, conditional), problems
        known = (kept["risks"] if kept else []) + listed + [risk for update in present for risk in update["risks"]]
        evaluation = Evaluation(cluster_version, self.fields, known, now)
        conditional = [evaluation.judge(update) if update["release"]["version"] in changed else update for update in conditional]
        for update in conditional:
            if update["release"]["version"] not in changed:
                continue
            release = update["release"]
            is_listed = any(one["image"] == release["image"] for one in available)
            if find(update["conditions"], "Recommended")["status"] != "True":
                available = [one for one in available if one["image"] != release["image"]]
            elif not is_listed:
                available = available + [release]
        available = sorted(available, key=lambda one: version_key(one["version"]), reverse=True)
        conditional = sorted(conditional, key=lambda one: version_key(one["release"]["version"]), reverse=True)
        return (available, conditional), problems

    # Step 7

    def build_status(self, status, updates, conditions, is_requested):
        available, conditional = updates
        listed = status.get("conditionalUpdateRisks") or []
        attached = [risk for update in conditional for risk in update["risks"]]
        risks = listed
        if any(own_versions(risk) for risk in listed + attached):
            by_name = {}
            ours = [risk for risk in attached if own_versions(risk)]
            for risk in [risk for risk in listed + attached if not own_versions(risk)] + ours:
                by_name.setdefault(risk["name"], risk)
            risks = sorted(by_name.values(), key=name_of)
        after = {key: value for key, value in status.items() if key not in ("conditionalUpdates", "conditionalUpdateRisks")}
        after["availableUpdates"] = available or None
        if conditional:
            after["conditionalUpdates"] = conditional
        if risks and "conditionalUpdateRisks" in self.fields:
            after["conditionalUpdateRisks"] = risks
        present = status.get("conditions") or []
        if not is_requested:
            present = [one for one in present if one["type"] not in CONDITIONS]
        for condition in conditions:
            present = set_condition(present, condition)
        after["conditions"] = present
        return after

    # Step 8

    def report(self, status, now, verdict, problem):
        completed, failed = ("False", verdict), ("True", "NoDocumentInTime")
        if verdict is None:
            result = "Incomplete" if self.kept["complete"] is not True else "RisksFound" if self.kept["risks"] else "NoRisks"
            completed, failed = ("True", problem or result), ("False", "AsExpected")
        elif verdict == "DocumentUnreadable":
            failed = ("True", "VolumeUnavailable")
        elif verdict in REPEATED:
            failed = ("True", verdict)
        contents = zip(CONDITIONS, (("True", "Checking"), completed, failed))
        return [
            timed(find(status.get("conditions"), kind), {"type": kind, "status": value, "reason": reason, "message": ""}, now)
            for kind, (value, reason) in contents
        ]


def running_version(cluster_version):
    status = cluster_version.get("status") or {}
    for entry in status.get("history") or []:
        if entry["state"] == "Completed":
            return entry["version"]
    return (status.get("desired") or {}).get("version")


def find_image(cluster_version, target):
    """Step 2: the image, or why there is none."""
    status = cluster_version.get("status") or {}
    releases = (status.get("availableUpdates") or []) + [one["release"] for one in status.get("conditionalUpdates") or []]
    images = {release["image"] for release in releases if release["version"] == target}
    if not images:
        is_seen = status.get("observedGeneration", 0) >= cluster_version["metadata"].get("generation", 0)
        retrieved = find(status.get("conditions"), "RetrievedUpdates")
        is_evidence = is_seen and retrieved and retrieved["status"] == "True"
        return None, "TargetNotOffered" if is_evidence else "UpdatesNotRetrieved"
    if len(images) > 1:
        return None, "TargetAmbiguous"
    image = images.pop()
    return (image, None) if DIGEST.search(image) else (None, "TargetNotPinned")


def reject(document, source, target, image, requested_at, now):
    time = parse_time(document.get("observedAt") or document["preflightID"][:20])
    is_earlier = requested_at is not None and time < requested_at
    about, from_version, of_image = (document.get(key) for key in ("targetVersion", "sourceVersion", "targetImage"))
    other = None
    if about is not None and about != target:
        other = "OtherTarget"
    elif from_version is not None and source is not None and from_version != source:
        other = "OtherSource"
    elif image is not None and of_image is not None and not is_same_image(of_image, image):
        other = "OtherPayload"
    if other:
        return "DocumentMissing" if is_earlier else other
    execution = document["executionStatus"]
    if execution != "completed":
        return "FirstCycleRunning" if execution == "running" else "CycleFailed"
    if is_earlier:
        return "DocumentBeforeRequest"
    if time > now + timedelta(minutes=5):
        return "DocumentInFuture"
    if "validUntil" in document and parse_time(document["validUntil"]) < now:
        return "DocumentStale"
    if about is None or (from_version or source) is None:
        return "DocumentInvalid"
    return None


def is_same_image(a, b):
    digest = DIGEST.search(a)
    return a == b or (digest is not None and b.endswith(digest[0]))


def own_mark(text):
    """The mark with which a reader's risk begins; an alert's is another source's."""
    found = MARK.match(text)
    return found if found and not found["alert"] else None


def own_versions(risk):
    """(source or None, target) of a risk of this reader, or None."""
    found = own_mark(risk["message"]) if risk.get("matchingRules") == ALWAYS else None
    return (found["source"], found["target"]) if found else None


def remove_own(available, conditional):
    changed, remaining = set(), []
    for update in conditional:
        others = [risk for risk in update["risks"] if not own_versions(risk)]
        if len(others) < len(update["risks"]):
            changed.add(update["release"]["version"])
        if others or not update["risks"]:
            remaining.append({**update, "risks": others})
        elif not any(one["image"] == update["release"]["image"] for one in available):
            available = available + [update["release"]]
    return available, remaining, changed


def merge(available, conditional, others, kept):
    """Step 5: the lists, the reasons of problems, and whether the target has got risks."""
    target = kept["target"]
    update = next((one for one in conditional if one["release"]["version"] == target), None)
    if update:
        listed = [one for one in available if one["image"] != update["release"]["image"]]
    else:
        listed = available
    names = {risk["name"] for one in conditional for risk in one["risks"]} | {risk["name"] for risk in others}
    room = max(0, min(RISKS_OF_UPDATE - len(update["risks"] if update else []), NAMES - len(names)))
    if not update and len(conditional) >= UPDATES:
        room = 0
    shown, omitted = select(kept, room)
    problems = ["NoRoom"] if omitted else []
    if not shown:
        return available, conditional, problems, False
    alerts = {risk["name"] for one in conditional for risk in one["risks"] if is_alert(risk)}
    for risk in shown:
        same = [one for update in conditional for one in update["risks"] if one["name"] == risk["name"]]
        if risk["name"] not in alerts and any(definition(one) != definition(risk) for one in same):
            problems.append("RiskNotMerged")
    if not update:
        index = next(i for i, release in enumerate(listed) if release["version"] == target)
        conditional = conditional + [{"release": listed[index], "risks": []}]
        listed = listed[:index] + listed[index + 1 :]
    merged = []
    for one in conditional:
        risks = one["risks"]
        if one["release"]["version"] == target:
            taken = {risk["name"] for risk in risks}
            risks = risks + [risk for risk in shown if risk["name"] not in taken]
        merged.append({**one, "risks": sorted(risks, key=name_of)})
    return listed, merged, problems, True


def select(kept, room):
    """Which risks are shown, and which are left out. Those that a new reader finds in ClusterVersion may lack Applies."""
    said = lambda risk, key: (find(risk.get("conditions"), "Applies") or {}).get(key)
    ordered = sorted(kept["risks"], key=lambda risk: said(risk, "reason") == "PreflightPartial")
    of_others = [risk for risk in ordered if re.match(r"(Site|Olm|Ns)[A-Z0-9]", risk["name"])]
    site = [risk for risk in of_others if risk["name"].startswith("Site")]
    vendors = [risk for risk in of_others if risk not in site]
    of_site = max((RISKS_OF_OTHERS + 1) // 2, RISKS_OF_OTHERS - len(vendors))
    beyond = site[of_site:] + vendors[RISKS_OF_OTHERS - min(len(site), of_site) :]
    if not beyond and len(ordered) <= room:
        return kept["risks"], []
    if room == 0:
        return [], ordered
    candidates = [risk for risk in ordered if risk not in beyond and risk["name"] != FURTHER_RISKS]
    shown = candidates[: room - 1]
    omitted = candidates[len(shown) :] + beyond
    times = [said(risk, "lastTransitionTime") for risk in omitted]
    applies = {"type": "Applies", "status": "True", "reason": "PreflightValidation", "message": ""}
    if any(times):
        applies["lastTransitionTime"] = min(filter(None, times))
    text = mark(kept["source"], kept["target"]) + FURTHER_TEXT.format(len(omitted))
    further = {"name": FURTHER_RISKS, "message": text, "url": FURTHER_URL, "matchingRules": ALWAYS, "conditions": [applies]}
    return shown + [further], omitted


def is_alert(risk):
    found = MARK.match(risk["message"])
    return found is not None and found["alert"] is not None
