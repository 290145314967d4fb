// Command kit runs the cases: it reads {"schema", "index", "cases", "documents"} as JSON on stdin and prints what the reader made of them.
// Cases and documents are objects, by the names of the index. If one of those is missing, nothing is run.
package main

import (
	"encoding/json"
	"log"
	"os"
	"strings"
	"time"

	reader "preflight.example/reader"
)

type kitCase struct {
	Fields         []string              `json:"fields"`
	Target         string                `json:"target"`
	RequestedAt    time.Time             `json:"requestedAt"`
	ClusterVersion reader.ClusterVersion `json:"clusterVersion"`
	Steps          []kitStep             `json:"steps"`
}

type kitStep struct {
	Now          time.Time       `json:"now"`
	Target       string          `json:"target"`
	Document     json.RawMessage `json:"document"`
	Text         *string         `json:"text"`
	IsUnreadable bool            `json:"isUnreadable"`
	IsRequested  *bool           `json:"isRequested"`
	Lists        *lists          `json:"lists"`
}

type lists struct {
	AvailableUpdates       []reader.Release               `json:"availableUpdates"`
	ConditionalUpdates     []reader.ConditionalUpdate     `json:"conditionalUpdates,omitempty"`
	ConditionalUpdateRisks []reader.ConditionalUpdateRisk `json:"conditionalUpdateRisks,omitempty"`
}

type outcome struct {
	lists
	Conditions []condition `json:"conditions"`
}

type condition struct {
	Type               string `json:"type"`
	Status             string `json:"status"`
	Reason             string `json:"reason"`
	LastTransitionTime string `json:"lastTransitionTime"`
}

func (s *kitStep) read(schema *reader.Schema) (*reader.Document, error) {
	switch {
	case s.IsUnreadable:
		return nil, reader.ErrUnreadable
	case s.Text != nil:
		return reader.Parse([]byte(*s.Text), schema)
	case s.Document == nil:
		return nil, reader.ErrMissing
	}
	return reader.Parse(s.Document, schema)
}

func (c *kitCase) play(schema *reader.Schema) []outcome {
	lifter := &reader.Lifter{Fields: map[string]bool{}}
	for _, field := range c.Fields {
		lifter.Fields[field] = true
	}
	outcomes := []outcome{}
	for _, step := range c.Steps {
		if step.Lists != nil {
			status := &c.ClusterVersion.Status
			status.AvailableUpdates = step.Lists.AvailableUpdates
			status.ConditionalUpdates = step.Lists.ConditionalUpdates
			status.ConditionalUpdateRisks = step.Lists.ConditionalUpdateRisks
		}
		in := reader.Input{ClusterVersion: &c.ClusterVersion, Now: step.Now, IsRequested: step.IsRequested == nil || *step.IsRequested, Target: step.Target, RequestedAt: c.RequestedAt}
		if in.Target == "" {
			in.Target = c.Target
		}
		in.Document, in.Failure = step.read(schema)
		status, conditions := lifter.Lift(in)
		one := outcome{lists{status.AvailableUpdates, status.ConditionalUpdates, status.ConditionalUpdateRisks}, []condition{}}
		if len(one.AvailableUpdates) == 0 {
			one.AvailableUpdates = nil
		}
		for _, found := range conditions {
			one.Conditions = append(one.Conditions, condition{found.Type, found.Status, found.Reason, found.LastTransitionTime})
		}
		outcomes = append(outcomes, one)
		c.ClusterVersion.Status = status
	}
	return outcomes
}

type index struct {
	Cases     []string `json:"cases"`
	Documents []string `json:"documents"`
}

func main() {
	kit := struct {
		Schema    json.RawMessage     `json:"schema"`
		Index     index               `json:"index"`
		Cases     map[string]*kitCase `json:"cases"`
		Documents map[string]*string  `json:"documents"`
	}{}
	if err := json.NewDecoder(os.Stdin).Decode(&kit); err != nil {
		log.Fatal(err)
	}
	missing := append(missingIn(kit.Cases, kit.Index.Cases), missingIn(kit.Documents, kit.Index.Documents)...)
	if len(missing) > 0 {
		log.Fatalf("The kit is not whole, so it proves nothing. It lacks %s.", strings.Join(missing, ", "))
	}
	schema, err := reader.ParseSchema(kit.Schema)
	if err != nil {
		log.Fatal(err)
	}
	made := struct {
		Cases     map[string][]outcome `json:"cases"`
		Documents map[string][]string  `json:"documents"`
	}{map[string][]outcome{}, map[string][]string{}}
	for name, one := range kit.Cases {
		made.Cases[name] = one.play(schema)
	}
	for name, text := range kit.Documents {
		made.Documents[name] = []string{}
		if _, err := reader.Parse([]byte(*text), schema); err != nil {
			made.Documents[name] = []string{err.Error()}
		}
	}
	if err := json.NewEncoder(os.Stdout).Encode(made); err != nil {
		log.Fatal(err)
	}
}

func missingIn[V any](present map[string]*V, names []string) []string {
	var missing []string
	for _, name := range names {
		if present[name] == nil {
			missing = append(missing, name)
		}
	}
	return missing
}
