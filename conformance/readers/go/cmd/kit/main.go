// Command kit runs the cases: it reads {"schema", "cases", "documents"} as JSON on stdin and prints what the reader made of them.
package main

import (
	"encoding/json"
	"log"
	"os"
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

func main() {
	kit := struct {
		Schema    json.RawMessage `json:"schema"`
		Cases     []kitCase       `json:"cases"`
		Documents []string        `json:"documents"`
	}{}
	if err := json.NewDecoder(os.Stdin).Decode(&kit); err != nil {
		log.Fatal(err)
	}
	schema, err := reader.ParseSchema(kit.Schema)
	if err != nil {
		log.Fatal(err)
	}
	made := struct {
		Cases     [][]outcome `json:"cases"`
		Documents [][]string  `json:"documents"`
	}{[][]outcome{}, [][]string{}}
	for _, one := range kit.Cases {
		made.Cases = append(made.Cases, one.play(schema))
	}
	for _, text := range kit.Documents {
		problems := []string{}
		if _, err := reader.Parse([]byte(text), schema); err != nil {
			problems = append(problems, err.Error())
		}
		made.Documents = append(made.Documents, problems)
	}
	if err := json.NewEncoder(os.Stdout).Encode(made); err != nil {
		log.Fatal(err)
	}
}
