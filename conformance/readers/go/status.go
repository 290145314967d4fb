package reader

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"
)

const (
	furtherURL      = "https://docs.redhat.com/en/documentation/openshift_container_platform/latest/html/updating_clusters/index"
	maxOfUpdate     = 200
	maxNames        = 500
	maxUpdates      = 500
	maxRisksOfOther = 15
)

var (
	othersPattern  = regexp.MustCompile(`^(?:Site|Olm|Ns)[A-Z0-9]`)
	versionMatcher = regexp.MustCompile(`^` + versionPattern + `$`)
	conditionTypes = []string{"PreflightRunning", "PreflightCompleted", "PreflightFailed"}
	// repeated are the rejections that PreflightFailed repeats.
	repeated = []Rejection{"CycleFailed", "DocumentInvalid", "DocumentBeforeRequest", "DocumentInFuture", "DocumentOlder", "DocumentStale"}
)

// Lifter makes ClusterVersion's status, for programs other than the operator, and for the kit. It keeps the last completed result.
type Lifter struct {
	// Fields are the gated fields that the cluster has.
	Fields map[string]bool
	kept   *Result
}

// Input is what one step is made of. Without IsRequested only ClusterVersion and Now count.
type Input struct {
	ClusterVersion *ClusterVersion
	Now            time.Time
	IsRequested    bool
	Target         string
	RequestedAt    time.Time
	Document       *Document
	Failure        error
}

// Lift returns the new status and the preflight's conditions in it.
func (l *Lifter) Lift(in Input) (ClusterVersionStatus, []Condition) {
	status := in.ClusterVersion.Status
	isUpdating := len(status.History) > 0 && status.History[0].State == "Partial"
	var conditions []Condition
	if !in.IsRequested || isUpdating {
		l.kept = nil
		l.show(&status, in, "")
		status.Conditions = slices.DeleteFunc(slices.Clone(status.Conditions), func(one Condition) bool { return slices.Contains(conditionTypes, one.Type) })
	} else {
		image, problem := findImage(in.ClusterVersion, in.Target)
		request := Request{Source: status.RunningVersion(), Target: in.Target, Image: image, RequestedAt: in.RequestedAt}
		l.kept = l.selectKept(request, status.ConditionalUpdates)
		var rejection Rejection
		rejection, l.kept = request.Judge(in.Document, in.Failure, l.kept, in.Now)
		shown := l.show(&status, in, image)
		conditions = l.report(status.Conditions, rejection, cmp.Or(problem, shown), in.Now)
		for _, condition := range conditions {
			status.Conditions = withCondition(status.Conditions, condition)
		}
	}
	status.ConditionalUpdateRisks = l.listRisks(status)
	return status, conditions
}

// findImage is step 2: the target's image, or the reason why it is not known.
func findImage(clusterVersion *ClusterVersion, target string) (image, problem string) {
	status := clusterVersion.Status
	var images []string
	releases := slices.Clone(status.AvailableUpdates)
	for _, update := range status.ConditionalUpdates {
		releases = append(releases, update.Release)
	}
	for _, release := range releases {
		if release.Version == target && !slices.Contains(images, release.Image) {
			images = append(images, release.Image)
		}
	}
	retrieved := find(status.Conditions, "RetrievedUpdates")
	isEvidence := status.ObservedGeneration >= clusterVersion.Metadata.Generation && retrieved != nil && retrieved.Status == "True"
	switch {
	case len(images) == 0 && isEvidence:
		return "", "TargetNotOffered"
	case len(images) == 0:
		return "", "UpdatesNotRetrieved"
	case len(images) > 1:
		return "", "TargetAmbiguous"
	case !digest.MatchString(images[0]):
		return "", "TargetNotPinned"
	}
	return images[0], ""
}

// selectKept is the result that answers the request, or, if that was lost, what ClusterVersion still shows of it.
func (l *Lifter) selectKept(request Request, updates []ConditionalUpdate) *Result {
	if l.kept != nil && l.kept.Source == request.Source && l.kept.Target == request.Target {
		if !l.kept.isFor(request) {
			return nil
		}
		return l.kept
	}
	result := &Result{Source: request.Source, Target: request.Target}
	names := map[string]bool{}
	for _, update := range updates {
		for _, risk := range update.Risks {
			source, target, isOurs := versionsOf(risk)
			if isOurs && target == request.Target && (source == "" || source == request.Source) && !names[risk.Name] {
				names[risk.Name] = true
				result.Risks = append(result.Risks, risk)
			}
		}
	}
	if len(result.Risks) == 0 {
		return nil
	}
	return result
}

// show replaces the lists of updates, and returns the first reason why not all is shown.
func (l *Lifter) show(status *ClusterVersionStatus, in Input, image string) string {
	present := status.ConditionalUpdates
	lists, changed := withoutOurs(updateLists{status.AvailableUpdates, present})
	var problem string
	if l.kept != nil && len(l.kept.Risks) > 0 && image != "" {
		var isMerged bool
		lists, problem, isMerged = lists.merge(l.kept, status.ConditionalUpdateRisks)
		changed[l.kept.Target] = changed[l.kept.Target] || isMerged
	}
	evaluation := l.newEvaluation(status, in, present)
	isChanged := false
	for i, update := range lists.conditional {
		if !changed[update.Release.Version] {
			continue
		}
		isChanged = true
		lists.conditional[i] = evaluation.judge(update)
		isRecommended := find(lists.conditional[i].Conditions, "Recommended").Status == "True"
		lists.available = without(lists.available, update.Release, isRecommended)
	}
	if isChanged || len(lists.conditional) < len(present) {
		slices.SortStableFunc(lists.available, func(a, b Release) int { return compareVersions(b.Version, a.Version) })
		slices.SortStableFunc(lists.conditional, func(a, b ConditionalUpdate) int {
			return compareVersions(b.Release.Version, a.Release.Version)
		})
	}
	status.AvailableUpdates, status.ConditionalUpdates = lists.available, lists.conditional
	return problem
}

func (l *Lifter) newEvaluation(status *ClusterVersionStatus, in Input, present []ConditionalUpdate) *evaluation {
	e := &evaluation{fields: l.Fields, accepted: map[string]bool{}, before: present, present: map[string]Condition{}, now: in.Now}
	for _, one := range in.ClusterVersion.Spec.DesiredUpdate.AcceptRisks {
		e.accepted[one.Name] = true
		if alias := aliasPattern.FindStringSubmatch(one.Name); alias != nil {
			e.accepted[alias[1]] = true
		}
	}
	known := []ConditionalUpdateRisk{}
	if l.kept != nil {
		known = append(known, l.kept.Risks...)
	}
	known = append(known, status.ConditionalUpdateRisks...)
	for _, update := range present {
		known = append(known, update.Risks...)
	}
	for _, risk := range known {
		if applies := find(risk.Conditions, "Applies"); applies != nil {
			e.present[definition(risk)] = *applies
		}
	}
	return e
}

// listRisks is step 7.
func (l *Lifter) listRisks(status ClusterVersionStatus) []ConditionalUpdateRisk {
	listed := status.ConditionalUpdateRisks
	if !l.Fields["conditionalUpdateRisks"] {
		return nil
	}
	var foreign, ours []ConditionalUpdateRisk
	for _, risk := range listed {
		if !isOurs(risk) {
			foreign = append(foreign, risk)
		}
	}
	hasOurs := len(foreign) < len(listed)
	for _, update := range status.ConditionalUpdates {
		for _, risk := range update.Risks {
			if isOurs(risk) {
				ours = append(ours, risk)
			} else {
				foreign = append(foreign, risk)
			}
		}
	}
	if !hasOurs && len(ours) == 0 {
		return listed
	}
	names := map[string]bool{}
	var risks []ConditionalUpdateRisk
	for _, risk := range append(foreign, ours...) {
		if !names[risk.Name] {
			names[risk.Name] = true
			risks = append(risks, risk)
		}
	}
	sortByName(risks)
	return risks
}

// report is step 8.
func (l *Lifter) report(present []Condition, rejection Rejection, problem string, now time.Time) []Condition {
	completed, failed := Condition{Status: "False", Reason: string(rejection)}, Condition{Status: "True", Reason: "NoDocumentInTime"}
	switch {
	case rejection == "":
		result := "NoRisks"
		if !l.kept.IsComplete {
			result = "Incomplete"
		} else if len(l.kept.Risks) > 0 {
			result = "RisksFound"
		}
		completed, failed = Condition{Status: "True", Reason: cmp.Or(problem, result)}, Condition{Status: "False", Reason: "AsExpected"}
	case rejection == "DocumentUnreadable":
		failed.Reason = "VolumeUnavailable"
	case slices.Contains(repeated, rejection):
		failed.Reason = string(rejection)
	}
	var conditions []Condition
	for i, condition := range []Condition{{Status: "True", Reason: "Checking"}, completed, failed} {
		condition.Type = conditionTypes[i]
		conditions = append(conditions, timed(find(present, condition.Type), condition, now))
	}
	return conditions
}

// updateLists are the offered updates.
type updateLists struct {
	available   []Release
	conditional []ConditionalUpdate
}

// without removes a release, and adds it again at the end or where it was if it is recommended.
func without(releases []Release, release Release, isRecommended bool) []Release {
	isSame := func(one Release) bool { return one.Image == release.Image }
	switch isListed := slices.ContainsFunc(releases, isSame); {
	case isRecommended && !isListed:
		return append(slices.Clone(releases), release)
	case !isRecommended && isListed:
		return slices.DeleteFunc(slices.Clone(releases), isSame)
	}
	return releases
}

// withoutOurs is step 4.
func withoutOurs(lists updateLists) (updateLists, map[string]bool) {
	changed := map[string]bool{}
	after := updateLists{available: slices.Clone(lists.available)}
	for _, update := range lists.conditional {
		risks := slices.DeleteFunc(slices.Clone(update.Risks), isOurs)
		if len(risks) < len(update.Risks) {
			changed[update.Release.Version] = true
		}
		if len(risks) == 0 && len(update.Risks) > 0 {
			after.available = without(after.available, update.Release, true)
			continue
		}
		update.Risks = risks
		after.conditional = append(after.conditional, update)
	}
	return after, changed
}

// merge is step 5.
func (u updateLists) merge(kept *Result, listed []ConditionalUpdateRisk) (updateLists, string, bool) {
	names := map[string]bool{}
	alerts := map[string]bool{}
	others := slices.DeleteFunc(slices.Clone(listed), isOurs)
	before := u
	index := -1
	for i, update := range u.conditional {
		others = append(others, update.Risks...)
		if update.Release.Version == kept.Target {
			index = i
			u.available = without(u.available, update.Release, false)
		}
		for _, risk := range update.Risks {
			alerts[risk.Name] = alerts[risk.Name] || alertMark.MatchString(risk.Message)
		}
	}
	for _, risk := range others {
		names[risk.Name] = true
	}
	room := min(maxOfUpdate, maxNames-len(names))
	if index >= 0 {
		room = min(room, maxOfUpdate-len(u.conditional[index].Risks))
	} else if len(u.conditional) >= maxUpdates {
		room = 0
	}
	shown, omitted := selectRisks(kept, max(room, 0))
	var problem string
	if omitted > 0 {
		problem = "NoRoom"
	}
	if len(shown) == 0 {
		return before, problem, false
	}
	if index < 0 {
		at := slices.IndexFunc(u.available, func(one Release) bool { return one.Version == kept.Target })
		index = len(u.conditional)
		u.conditional = append(slices.Clone(u.conditional), ConditionalUpdate{Release: u.available[at]})
		u.available = slices.Delete(slices.Clone(u.available), at, at+1)
	}
	for _, risk := range shown {
		if u.hasOther(risk) && !alerts[risk.Name] {
			problem = cmp.Or(problem, "RiskNotMerged")
		}
		target := &u.conditional[index]
		if !slices.ContainsFunc(target.Risks, func(one ConditionalUpdateRisk) bool { return one.Name == risk.Name }) {
			target.Risks = append(slices.Clone(target.Risks), risk)
		}
	}
	for i := range u.conditional {
		u.conditional[i].Risks = slices.Clone(u.conditional[i].Risks)
		sortByName(u.conditional[i].Risks)
	}
	return u, problem, true
}

// hasOther tells whether an update has a different risk of the same name.
func (u updateLists) hasOther(risk ConditionalUpdateRisk) bool {
	for _, update := range u.conditional {
		for _, one := range update.Risks {
			if one.Name == risk.Name && definition(one) != definition(risk) {
				return true
			}
		}
	}
	return false
}

func sortByName(risks []ConditionalUpdateRisk) {
	slices.SortStableFunc(risks, func(a, b ConditionalUpdateRisk) int { return strings.Compare(a.Name, b.Name) })
}

// selectRisks returns the risks that are shown, and how many others there are.
func selectRisks(kept *Result, room int) ([]ConditionalUpdateRisk, int) {
	isPartial := func(risk ConditionalUpdateRisk) bool {
		applies := find(risk.Conditions, "Applies")
		return applies != nil && applies.Reason == "PreflightPartial"
	}
	var first, last []ConditionalUpdateRisk
	for _, risk := range kept.Risks {
		if isPartial(risk) {
			last = append(last, risk)
		} else {
			first = append(first, risk)
		}
	}
	ordered := append(first, last...)
	beyond := beyondOthers(ordered)
	if len(beyond) == 0 && len(ordered) <= room {
		return kept.Risks, 0
	}
	if room == 0 {
		return nil, len(ordered)
	}
	var shown, omitted []ConditionalUpdateRisk
	for _, risk := range ordered {
		switch {
		case beyond[risk.Name]:
			omitted = append(omitted, risk)
		case risk.Name == furtherRisks:
		case len(shown) < room-1:
			shown = append(shown, risk)
		default:
			omitted = append(omitted, risk)
		}
	}
	return append(shown, further(kept, omitted)), len(omitted)
}

// beyondOthers are the names of the risks that are more than others' checks may have.
func beyondOthers(risks []ConditionalUpdateRisk) map[string]bool {
	var site, vendors []string
	for _, risk := range risks {
		if !othersPattern.MatchString(risk.Name) {
			continue
		}
		if strings.HasPrefix(risk.Name, "Site") {
			site = append(site, risk.Name)
		} else {
			vendors = append(vendors, risk.Name)
		}
	}
	ofSite := max((maxRisksOfOther+1)/2, maxRisksOfOther-len(vendors))
	ofSite = min(ofSite, len(site))
	beyond := map[string]bool{}
	for _, name := range append(site[ofSite:], vendors[min(maxRisksOfOther-ofSite, len(vendors)):]...) {
		beyond[name] = true
	}
	return beyond
}

func further(kept *Result, omitted []ConditionalUpdateRisk) ConditionalUpdateRisk {
	since := ""
	for _, risk := range omitted {
		// What a new reader finds in ClusterVersion may lack Applies.
		if applies := find(risk.Conditions, "Applies"); applies != nil && (since == "" || applies.LastTransitionTime < since) {
			since = applies.LastTransitionTime
		}
	}
	text := fmt.Sprintf("%d more risks of this preflight exceed ClusterVersion's limits. The document lists them all.", len(omitted))
	return ConditionalUpdateRisk{
		Name: furtherRisks, Message: mark(kept.Source, kept.Target) + text, URL: furtherURL, MatchingRules: alwaysRules,
		Conditions: []Condition{{Type: "Applies", Status: "True", Reason: "PreflightValidation", LastTransitionTime: since}},
	}
}

// compareVersions orders by Semantic Versioning; what is no version comes first.
func compareVersions(a, b string) int {
	isA, isB := versionMatcher.MatchString(a), versionMatcher.MatchString(b)
	if !isA || !isB {
		if isA {
			return 1
		} else if isB {
			return -1
		}
		return strings.Compare(a, b)
	}
	coreA, preA := splitVersion(a)
	coreB, preB := splitVersion(b)
	if order := slices.CompareFunc(coreA, coreB, compareIdentifiers); order != 0 {
		return order
	}
	if len(preA) == 0 || len(preB) == 0 {
		return len(preB) - len(preA)
	}
	return slices.CompareFunc(preA, preB, compareIdentifiers)
}

func splitVersion(text string) (core, pre []string) {
	text, _, _ = strings.Cut(text, "+")
	numbers, identifiers, isPre := strings.Cut(text, "-")
	if isPre {
		pre = strings.Split(identifiers, ".")
	}
	return strings.Split(numbers, "."), pre
}

func compareIdentifiers(a, b string) int {
	isA, isB := isNumber(a), isNumber(b)
	switch {
	case isA && isB:
		// Of any length, so that no type holds them all.
		a, b = strings.TrimLeft(a, "0"), strings.TrimLeft(b, "0")
		return cmp.Or(cmp.Compare(len(a), len(b)), strings.Compare(a, b))
	case isA:
		return -1
	case isB:
		return 1
	}
	return strings.Compare(a, b)
}

func isNumber(text string) bool {
	return strings.Trim(text, "0123456789") == ""
}
