// Command source is Source in a process of its own, to play an operator with: `source DOCUMENT SCHEMA`. For each line on stdin,
// {"request", "versions"} as JSON, it prints a line with what Risks returned. Without a request, none is made.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"log"
	"os"
	"time"

	reader "preflight.example/reader"
)

type question struct {
	Request *struct {
		Source      string    `json:"source"`
		Target      string    `json:"target"`
		Image       string    `json:"image"`
		RequestedAt time.Time `json:"requestedAt"`
	} `json:"request"`
	Versions []string `json:"versions"`
}

type answer struct {
	Risks    []reader.ConditionalUpdateRisk `json:"risks"`
	Versions map[string][]string            `json:"versions"`
	Failure  string                         `json:"failure,omitempty"`
}

func main() {
	if len(os.Args) != 3 {
		log.Fatal("usage: source DOCUMENT SCHEMA")
	}
	text, err := os.ReadFile(os.Args[2])
	if err != nil {
		log.Fatal(err)
	}
	schema, err := reader.ParseSchema(text)
	if err != nil {
		log.Fatal(err)
	}
	var asked question
	source := reader.New(os.Args[1], schema, func() (reader.Request, bool) {
		if asked.Request == nil {
			return reader.Request{}, false
		}
		return reader.Request(*asked.Request), true
	})
	lines, answers := bufio.NewScanner(os.Stdin), json.NewEncoder(os.Stdout)
	for lines.Scan() {
		asked = question{}
		if err := json.Unmarshal(lines.Bytes(), &asked); err != nil {
			log.Fatal(err)
		}
		var given answer
		var failure error
		given.Risks, given.Versions, failure = source.Risks(context.Background(), asked.Versions)
		if failure != nil {
			given.Failure = failure.Error()
		}
		if err := answers.Encode(given); err != nil {
			log.Fatal(err)
		}
	}
	if err := lines.Err(); err != nil {
		log.Fatal(err)
	}
}
