package reader

import (
	"errors"
	"regexp"
	"strings"
	"time"
)

const timeFormat = "2006-01-02T15:04:05Z"

const (
	identifiers    = `[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*`
	versionPattern = `(?:0|[1-9]\d{0,8})\.(?:0|[1-9]\d{0,8})\.(?:0|[1-9]\d{0,8})(?:-` + identifiers + `)?(?:\+` + identifiers + `)?`
)

var (
	digest      = regexp.MustCompile(`@sha256:[0-9a-f]{64}$`)
	ownMark     = regexp.MustCompile(`^(?:(` + versionPattern + `) -> |Preflight=)(` + versionPattern + `): `)
	alertMark   = regexp.MustCompile(`^Preflight of ` + versionPattern + ` -> ` + versionPattern + `: `)
	alwaysRules = []Rule{{Type: "Always"}}
)

// Request is the preflight that is requested. Source and Image are empty if they are not known.
type Request struct {
	Source, Target, Image string
	// RequestedAt is zero if it is not known.
	RequestedAt time.Time
}

// Result is what the last completed document for a source and a target says. Its risks are as ClusterVersion shows them.
type Result struct {
	Source, Target, Image string
	ObservedAt            string
	IsComplete            bool
	Risks                 []ConditionalUpdateRisk
}

// Rejection is a reason of the kit's table for which a document does not count. It is empty if the document counts.
type Rejection string

// Judge decides whether a document counts, and returns the result that counts then. `failure` is the error of reading, if any.
func (r Request) Judge(document *Document, failure error, kept *Result, now time.Time) (Rejection, *Result) {
	for _, kind := range []error{ErrMissing, ErrUnreadable, ErrInvalid} {
		if errors.Is(failure, kind) {
			return Rejection(kind.Error()), kept
		}
	}
	if rejection := r.reject(document, now); rejection != "" {
		return rejection, kept
	}
	if kept != nil && kept.ObservedAt != "" && document.ObservedAt != "" {
		last := parseTime(kept.ObservedAt)
		if !last.After(now) && parseTime(document.ObservedAt).Before(last) {
			return "DocumentOlder", kept
		}
	}
	return "", r.result(document, kept, now)
}

func (r Request) reject(document *Document, now time.Time) Rejection {
	isEarlier := !r.RequestedAt.IsZero() && document.Time().Before(r.RequestedAt)
	if other := r.rejectOther(document); other != "" {
		if isEarlier {
			return "DocumentMissing"
		}
		return other
	}
	switch {
	case document.ExecutionStatus == "running":
		return "FirstCycleRunning"
	case document.ExecutionStatus == "failed":
		return "CycleFailed"
	case isEarlier:
		return "DocumentBeforeRequest"
	case document.Time().After(now.Add(5 * time.Minute)):
		return "DocumentInFuture"
	case document.ValidUntil != "" && parseTime(document.ValidUntil).Before(now):
		return "DocumentStale"
	case document.TargetVersion == "" || document.SourceVersion == "" && r.Source == "":
		return "DocumentInvalid"
	}
	return ""
}

func (r Request) rejectOther(document *Document) Rejection {
	differ := func(a, b string) bool { return a != "" && b != "" && a != b }
	switch {
	case differ(document.TargetVersion, r.Target):
		return "OtherTarget"
	case differ(document.SourceVersion, r.Source):
		return "OtherSource"
	case differ(document.TargetImage, r.Image) && !hasDigestOf(document.TargetImage, r.Image):
		return "OtherPayload"
	}
	return ""
}

// hasDigestOf tells whether two images are the same, in whichever registries.
func hasDigestOf(a, b string) bool {
	found := digest.FindString(a)
	return found != "" && strings.HasSuffix(b, found)
}

// result gives each risk the mark, and the time since which it has applied.
func (r Request) result(document *Document, kept *Result, now time.Time) *Result {
	since := map[string]string{}
	if kept != nil {
		for _, risk := range kept.Risks {
			if applies := find(risk.Conditions, "Applies"); applies != nil && applies.Status == "True" {
				since[risk.Name] = applies.LastTransitionTime
			}
		}
	}
	source := r.Source
	if document.SourceVersion != "" {
		source = document.SourceVersion
	}
	isComplete := document.Complete != nil && *document.Complete
	result := &Result{Source: source, Target: r.Target, Image: r.Image, ObservedAt: document.ObservedAt, IsComplete: isComplete}
	for _, risk := range document.Risks {
		applies := Condition{Type: "Applies", Status: "True", Reason: "Match", LastTransitionTime: now.UTC().Format(timeFormat)}
		if len(risk.Conditions) > 0 {
			applies = risk.Conditions[0]
		}
		if time, ok := since[risk.Name]; ok {
			applies.LastTransitionTime = time
		}
		text := strings.TrimPrefix(risk.Message, ownMark.FindString(risk.Message))
		result.Risks = append(result.Risks, ConditionalUpdateRisk{
			Name: risk.Name, Message: mark(source, r.Target) + text, URL: risk.URL, MatchingRules: alwaysRules, Conditions: []Condition{applies},
		})
	}
	return result
}

func mark(source, target string) string {
	return source + " -> " + target + ": "
}

// versionsOf are the source and target that a reader's risk names; isOurs is false for another source's risk.
func versionsOf(risk ConditionalUpdateRisk) (source, target string, isOurs bool) {
	found := ownMark.FindStringSubmatch(risk.Message)
	if found == nil || len(risk.MatchingRules) != 1 || risk.MatchingRules[0] != alwaysRules[0] {
		return "", "", false
	}
	return found[1], found[2], true
}

func isOurs(risk ConditionalUpdateRisk) bool {
	_, _, isOurs := versionsOf(risk)
	return isOurs
}
