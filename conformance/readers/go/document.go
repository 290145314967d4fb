package reader

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

const (
	maxLength    = 4 * 1024 * 1024
	maxText      = 16_000
	furtherRisks = "PreflightFurtherRisks"
)

// Document is a valid preflight-v1-json document, as far as risks need it.
type Document struct {
	PreflightID     string
	TargetVersion   string
	ExecutionStatus string
	Risks           []DocumentRisk
	SourceVersion   string
	TargetImage     string
	Complete        *bool
	ObservedAt      string
	ValidUntil      string
	Checks          []Check
}

// DocumentRisk is a risk as the document has it.
type DocumentRisk struct {
	Name          string
	Message       string
	URL           string
	TargetVersion string
	Conditions    []Condition
}

// Check is one of the checks that ran.
type Check struct {
	ID         string
	Outcome    string
	Risks      []string
	IsAccepted bool
}

// Failures of reading, to tell apart with errors.Is. The other reasons of Rejection are about a valid document.
var (
	ErrMissing    = errors.New("DocumentMissing")
	ErrUnreadable = errors.New("DocumentUnreadable")
	ErrInvalid    = errors.New("DocumentInvalid")
)

// Read reads the document in a file. A runner replaces the file in one step, so it is never half written.
func Read(path string, schema *Schema) (*Document, error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w: %w", ErrMissing, err)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnreadable, err)
	}
	return Parse(text, schema)
}

// Parse parses and validates a document.
func Parse(text []byte, schema *Schema) (*Document, error) {
	if len(text) > 4*maxLength || utf8.RuneCount(text) > maxLength {
		return nil, fmt.Errorf("%w: it is too long", ErrInvalid)
	}
	var value any
	if err := json.Unmarshal(text, &value); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrInvalid, err)
	}
	value = withoutMethods(value)
	if problems := schema.problems(value, schema, "document"); len(problems) > 0 {
		return nil, fmt.Errorf("%w: %s", ErrInvalid, strings.Join(problems, "; "))
	}
	// Of the value, since encoding/json would also take keys in other cases.
	document := toDocument(value.(map[string]any))
	if problems := document.problems(); len(problems) > 0 {
		return nil, fmt.Errorf("%w: %s", ErrInvalid, strings.Join(problems, "; "))
	}
	return document, nil
}

// withoutMethods leaves out the two keys that count as absent.
func withoutMethods(value any) any {
	switch value := value.(type) {
	case []any:
		for i := range value {
			value[i] = withoutMethods(value[i])
		}
	case map[string]any:
		delete(value, "toString")
		delete(value, "valueOf")
		for key := range value {
			value[key] = withoutMethods(value[key])
		}
	}
	return value
}

func toDocument(value map[string]any) *Document {
	document := &Document{
		PreflightID: text(value, "preflightID"), TargetVersion: text(value, "targetVersion"),
		ExecutionStatus: text(value, "executionStatus"), SourceVersion: text(value, "sourceVersion"),
		TargetImage: text(value, "targetImage"), ObservedAt: text(value, "observedAt"), ValidUntil: text(value, "validUntil"),
	}
	if complete, ok := value["complete"].(bool); ok {
		document.Complete = &complete
	}
	for _, risk := range objects(value, "risks") {
		one := DocumentRisk{Name: text(risk, "name"), Message: text(risk, "message"), URL: text(risk, "url"), TargetVersion: text(risk, "targetVersion")}
		for _, c := range objects(risk, "conditions") {
			one.Conditions = append(one.Conditions, Condition{Type: text(c, "type"), Status: text(c, "status"), Reason: text(c, "reason"), Message: text(c, "message"), LastTransitionTime: text(c, "lastTransitionTime")})
		}
		document.Risks = append(document.Risks, one)
	}
	if _, ok := value["checks"]; ok {
		document.Checks = []Check{}
	}
	for _, check := range objects(value, "checks") {
		one := Check{ID: text(check, "id"), Outcome: text(check, "outcome")}
		names, _ := check["risks"].([]any)
		for _, name := range names {
			one.Risks = append(one.Risks, name.(string))
		}
		_, one.IsAccepted = check["accepted"]
		document.Checks = append(document.Checks, one)
	}
	return document
}

func text(value map[string]any, key string) string {
	found, _ := value[key].(string)
	return found
}

func objects(value map[string]any, key string) []map[string]any {
	items, _ := value[key].([]any)
	var found []map[string]any
	for _, item := range items {
		found = append(found, item.(map[string]any))
	}
	return found
}

// Time is when the result was observed. A document of the proposal's form has only the time when its runner started.
func (d *Document) Time() time.Time {
	if d.ObservedAt != "" {
		return parseTime(d.ObservedAt)
	}
	return parseTime(d.PreflightID[:len("2006-01-02T15:04:05Z")])
}

// parseTime reads a time of a valid document.
func parseTime(text string) time.Time {
	parsed, _ := time.Parse(time.RFC3339, text)
	return parsed
}

// problems are the rules that the schema's description lists.
func (d *Document) problems() []string {
	var found []string
	add := func(isWrong bool, problem string) {
		if isWrong {
			found = append(found, problem)
		}
	}
	names, length, times := []string{}, 0, []string{d.PreflightID[:len("2006-01-02T15:04:05Z")], d.ObservedAt, d.ValidUntil}
	for _, risk := range d.Risks {
		names = append(names, risk.Name)
		length += utf8.RuneCountInString(risk.Message) + utf8.RuneCountInString(risk.URL)
		add(d.TargetVersion == "" || risk.TargetVersion != "" && risk.TargetVersion != d.TargetVersion, risk.Name+": targetVersion must be the document's")
		add(!isURL(risk.URL), risk.Name+": url must be an absolute https:// URL")
		for _, condition := range risk.Conditions {
			times = append(times, condition.LastTransitionTime)
		}
	}
	add(length > maxText, "risks: messages and urls are too long")
	for _, text := range times {
		_, err := time.Parse(time.RFC3339, text)
		add(text != "" && err != nil, text+": does not exist")
	}
	add(d.ValidUntil != "" && d.ValidUntil < d.ObservedAt, "validUntil: must not be before observedAt")
	ordered := names
	if n := len(names); n > 0 && names[n-1] == furtherRisks {
		ordered = names[:n-1]
	}
	add(!isOrdered(ordered), "risks: must be sorted by name, and each unique")
	ids := []string{}
	for _, check := range d.Checks {
		ids = append(ids, check.ID)
	}
	add(!isOrdered(ids), "checks: must be sorted by id, and each unique")
	if d.ExecutionStatus == "completed" {
		d.addContradictions(names, add)
	}
	return found
}

// addContradictions adds what a completed document says against itself.
func (d *Document) addContradictions(names []string, add func(bool, string)) {
	known := map[string]bool{}
	for _, name := range names {
		known[name] = true
	}
	isComplete := d.Complete != nil && *d.Complete
	add(d.Checks != nil && len(d.Checks) == 0, "checks: must not be empty in a completed document")
	add(isComplete && d.Checks == nil, "complete: must not be true without checks")
	for _, risk := range d.Risks {
		applies := find(risk.Conditions, "Applies")
		add(isComplete && applies != nil && applies.Reason == "PreflightPartial", "complete: must not be true with "+risk.Name)
	}
	for _, check := range d.Checks {
		add(isComplete && check.Outcome == "unknown" && !check.IsAccepted, "complete: must not be true, because the outcome of "+check.ID+" is unknown")
		for _, name := range check.Risks {
			add(!known[name] && !known[furtherRisks], check.ID+": "+name+" is not in risks")
		}
		add(check.Outcome == "risk" && len(check.Risks) == 0 && len(names) == 0, "risks: must not be empty, because the outcome of "+check.ID+" is risk")
	}
}

func isOrdered(names []string) bool {
	for i := 1; i < len(names); i++ {
		if names[i-1] >= names[i] {
			return false
		}
	}
	return true
}

func isURL(text string) bool {
	parsed, err := url.Parse(text)
	if err != nil || parsed.Hostname() == "" {
		return false
	}
	if parsed.Port() == "" {
		return true
	}
	_, err = strconv.ParseUint(parsed.Port(), 10, 16)
	return err == nil
}
