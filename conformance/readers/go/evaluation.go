package reader

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

const (
	maxMessage   = 32_768
	maxTexts     = 32_668
	notExposed   = "NotExposedToRisks"
	allAccepted  = "AllExposedRisksAccepted"
	notEvaluated = "EvaluationFailed"
	clearText    = "No risk of this update applies to this cluster, so it is recommended."
	acceptedText = "Every risk of this update that applies to this cluster is accepted, so it is recommended."
)

var (
	reasonPattern = regexp.MustCompile(`^[A-Za-z](?:[A-Za-z0-9_,:]*[A-Za-z0-9_])?$`)
	aliasPattern  = regexp.MustCompile(`^Preflight([A-Z].*)$`)
)

// evaluation judges updates: step 6 of the kit's page. The operator has its own.
type evaluation struct {
	fields   map[string]bool
	accepted map[string]bool
	before   []ConditionalUpdate
	present  map[string]Condition
	now      time.Time
}

func (e *evaluation) judge(update ConditionalUpdate) ConditionalUpdate {
	var said []ConditionalUpdateRisk
	update.Conditions = nil
	for _, one := range e.before {
		if one.Release.Image == update.Release.Image && one.Release.Version == update.Release.Version {
			update.Conditions, said = one.Conditions, one.Risks
			break
		}
	}
	recommended := find(update.Conditions, "Recommended")
	var votes []vote
	var names []string
	var risks []ConditionalUpdateRisk
	for _, risk := range update.Risks {
		applies := e.evaluate(risk, recommended, said)
		votes = append(votes, e.vote(risk, applies)...)
		risk.Conditions = withCondition(risk.Conditions, applies)
		if !e.fields["riskConditions"] {
			risk.Conditions = nil
		}
		names, risks = append(names, risk.Name), append(risks, risk)
	}
	update.Risks = risks
	if e.fields["riskNames"] {
		update.RiskNames = names
	}
	update.Conditions = withCondition(update.Conditions, timed(recommended, recommend(votes), e.now))
	return update
}

// evaluate tells whether a risk applies. What `recommended` says is about `risks`: those that the update has in ClusterVersion.
func (e *evaluation) evaluate(risk ConditionalUpdateRisk, recommended *Condition, risks []ConditionalUpdateRisk) Condition {
	own := find(risk.Conditions, "Applies")
	present, isPresent := e.present[definition(risk)]
	if risk.MatchingRules[0].Type == "Always" {
		if own == nil || own.Status != "True" {
			return timed(pointer(present, isPresent), Condition{Type: "Applies", Status: "True", Reason: "Match"}, e.now)
		}
		applies := timed(nil, *own, e.now)
		applies.LastTransitionTime = cmp.Or(own.LastTransitionTime, applies.LastTransitionTime)
		if isPresent && present.Status == "True" {
			applies.LastTransitionTime = present.LastTransitionTime
		}
		return applies
	}
	if own != nil {
		return *own
	}
	if isPresent {
		return present
	}
	applies := Condition{Type: "Applies", Status: "Unknown", Reason: notEvaluated, Message: unknownText(risk) + textOf(risk)}
	switch readRecommended(recommended, risks)[risk.Name] {
	case yes:
		applies = Condition{Type: "Applies", Status: "True", Reason: "Match"}
	case no:
		applies = Condition{Type: "Applies", Status: "False", Reason: "NotMatch"}
	}
	return timed(nil, applies, e.now)
}

func pointer(condition Condition, ok bool) *Condition {
	if !ok {
		return nil
	}
	return &condition
}

// timed keeps the present transition time as long as the status stays.
func timed(present *Condition, condition Condition, now time.Time) Condition {
	condition.LastTransitionTime = now.UTC().Format(timeFormat)
	if present != nil && present.Status == condition.Status {
		condition.LastTransitionTime = present.LastTransitionTime
	}
	return condition
}

func textOf(risk ConditionalUpdateRisk) string {
	return risk.Message + " " + risk.URL
}

func unknownText(risk ConditionalUpdateRisk) string {
	return "It is unknown whether " + risk.Name + " applies. "
}

// vote is what one risk says of Recommended.
type vote struct{ status, reason, text string }

func (e *evaluation) vote(risk ConditionalUpdateRisk, applies Condition) []vote {
	switch {
	case applies.Status == "Unknown":
		return []vote{{"Unknown", notEvaluated, applies.Message}}
	case applies.Status != "True":
		return nil
	case e.accepted[risk.Name]:
		return []vote{{"True", allAccepted, ""}}
	case reasonPattern.MatchString(risk.Name):
		return []vote{{"False", risk.Name, textOf(risk)}}
	}
	return []vote{{"False", "ExposedToRisks", textOf(risk)}}
}

func recommend(votes []vote) Condition {
	recommended := Condition{Type: "Recommended", Status: "True", Reason: notExposed, Message: clearText}
	var texts []string
	for _, one := range votes {
		if one.status == "False" || one.status == "Unknown" && recommended.Status == "True" {
			recommended.Status = one.status
		}
		switch recommended.Reason {
		case notExposed, allAccepted, one.reason:
			recommended.Reason = one.reason
		default:
			recommended.Reason = "MultipleReasons"
		}
		recommended.Message = acceptedText
		if one.status != "True" {
			texts = append(texts, one.text)
		}
	}
	if len(texts) > 0 {
		recommended.Message = join(texts)
	}
	return recommended
}

func join(texts []string) string {
	whole := strings.Join(texts, "\n\n")
	if utf8.RuneCountInString(whole) <= maxMessage {
		return whole
	}
	// The texts of others first: a preflight's own come again from its result.
	var order []int
	for _, own := range []bool{false, true} {
		for i, text := range texts {
			if ownMark.MatchString(text) == own {
				order = append(order, i)
			}
		}
	}
	count, length := 0, 0
	for _, i := range order {
		if length += utf8.RuneCountInString(texts[i]) + 2; length > maxTexts {
			break
		}
		count++
	}
	keep := order[:max(count, 1)]
	var shown []string
	omitted, more := 0, " of the preflight"
	for i, text := range texts {
		switch {
		case slices.Contains(keep, i):
			shown = append(shown, cutText(text))
			continue
		case !ownMark.MatchString(text):
			more = ""
		}
		omitted++
	}
	if omitted > 0 {
		shown = append(shown, fmt.Sprintf("And %d more%s: see risks.", omitted, more))
	}
	return strings.Join(shown, "\n\n")
}

func cutText(text string) string {
	if runes := []rune(text); len(runes) > maxTexts {
		return string(runes[:maxTexts-1]) + "…"
	}
	return text
}

var omittedOwn = regexp.MustCompile(`^And [0-9]+ more of the preflight: see risks\.$`)

type answer int

const (
	unknown answer = iota
	yes
	no
)

// readRecommended tells of each risk, by name, whether it applies, as an operator that writes no Applies says it in Recommended.
func readRecommended(condition *Condition, risks []ConditionalUpdateRisk) map[string]answer {
	answers := map[string]answer{}
	if condition == nil {
		return answers
	}
	if condition.Status == "True" {
		for _, risk := range risks {
			answers[risk.Name] = no
		}
	}
	if condition.Status != "False" && condition.Status != "Unknown" {
		return answers
	}
	isUnderstood, applies := condition.Message != "", false
	for rest := condition.Message; rest != ""; {
		end := -1
		for _, risk := range risks {
			if said, length := readText(rest, risk); length > 0 {
				answers[risk.Name], end = said, max(end, length)
				applies = applies || said == yes
			}
		}
		if end < 0 {
			paragraph, _, _ := strings.Cut(rest, "\n\n")
			end = len(paragraph)
			isUnderstood = isUnderstood &&
				(ownMark.MatchString(rest) || alertMark.MatchString(rest) || omittedOwn.MatchString(paragraph))
		}
		rest = rest[min(end+2, len(rest)):]
	}
	for _, risk := range risks {
		_, isSaid := answers[risk.Name]
		switch {
		case isSaid:
		case condition.Status == "False" && (len(risks) == 1 || risk.Name == condition.Reason):
			answers[risk.Name] = yes
		case isUnderstood && (condition.Status == "Unknown" || applies):
			answers[risk.Name] = no
		}
	}
	return answers
}

// readText reads the text that a message begins with, if it is about the risk, and its length.
func readText(message string, risk ConditionalUpdateRisk) (answer, int) {
	text := textOf(risk)
	for _, form := range []string{text, cutText(text)} {
		if isEnd(message, form) {
			return yes, len(form)
		}
	}
	for _, form := range [][2]string{
		{unknownText(risk), text},
		{"Could not evaluate exposure to update risk " + risk.Name + " (", "\n  " + risk.Name + " URL: " + risk.URL},
		{"Exposure to " + risk.Name + " is unknown due to an evaluation failure: ", "\n" + text},
	} {
		if !strings.HasPrefix(message, form[0]) {
			continue
		}
		for at := len(form[0]); at < len(message); at++ {
			if isEnd(message[at:], form[1]) {
				return unknown, at + len(form[1])
			}
		}
	}
	return unknown, 0
}

// isEnd tells whether a message begins with a whole text.
func isEnd(message, text string) bool {
	rest, ok := strings.CutPrefix(message, text)
	return ok && (rest == "" || strings.HasPrefix(rest, "\n\n"))
}
