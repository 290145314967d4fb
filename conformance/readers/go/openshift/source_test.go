package openshift

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"testing"

	configv1 "github.com/openshift/api/config/v1"

	reader "preflight.example/reader"
)

// The interface of pkg/risk, which is internal to the operator's module.
var _ interface {
	Name() string
	Risks(context.Context, []string) ([]configv1.ConditionalUpdateRisk, map[string][]string, error)
} = Source{}

const document = `{"format": "preflight-v1-json", "preflightID": "2026-03-01T11:00:00Z-preflight-5.2.0", "targetVersion": "5.2.0",
"executionStatus": "completed", "sourceVersion": "5.0.3", "observedAt": "2026-03-01T11:55:00Z",
"risks": [{"name": "A", "message": "A is wrong.", "url": "https://example.com/A", "conditions": [{"type": "Applies", "status": "True",
"reason": "PreflightValidation", "message": "Found.", "lastTransitionTime": "2026-03-01T11:50:00Z"}]}]}`

func newSource(t *testing.T) (Source, string) {
	t.Helper()
	text, err := os.ReadFile("../../../../schemas/preflight-v1.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	schema, err := reader.ParseSchema(text)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "result.json")
	request := func() (reader.Request, bool) { return reader.Request{Source: "5.0.3", Target: "5.2.0"}, true }
	return Source{reader.New(path, schema, request)}, path
}

func toJSON(t *testing.T, value any) string {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestRisks(t *testing.T) {
	source, path := newSource(t)
	offered := []string{"5.1.0", "5.2.0"}
	if _, _, err := source.Risks(context.Background(), offered); !errors.Is(err, reader.ErrMissing) {
		t.Errorf("without a file: %v", err)
	}
	if err := os.WriteFile(path, []byte(document), 0o600); err != nil {
		t.Fatal(err)
	}
	risks, of, err := source.Risks(context.Background(), offered)
	if err != nil {
		t.Fatal(err)
	}
	// What ClusterVersion's status then has, byte for byte.
	want := `[{"conditions":[{"type":"Applies","status":"True","lastTransitionTime":"2026-03-01T11:50:00Z","reason":"PreflightValidation","message":"Found."}],` +
		`"url":"https://example.com/A","name":"A","message":"5.0.3 -\u003e 5.2.0: A is wrong.","matchingRules":[{"type":"Always"}]}]`
	if got := toJSON(t, risks); got != want {
		t.Errorf("the risks are %s", got)
	}
	if got := toJSON(t, of); got != `{"A":["5.2.0"]}` {
		t.Errorf("their versions are %s", got)
	}
	if source.Name() != "Preflight" {
		t.Errorf("the name is %s", source.Name())
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if kept, _, err := source.Risks(context.Background(), offered); len(kept) != 1 || !errors.Is(err, reader.ErrMissing) {
		t.Errorf("without the file again: %v %v", kept, err)
	}
}

// The reader's own types are those of the API, as far as risks need them: the same JSON is read and written by both.
func TestTypes(t *testing.T) {
	const status = `{"desired":{"architecture":"Multi","version":"5.0.3","image":"a","url":"b","channels":["c"]},` +
		`"observedGeneration":3,"versionHash":"","capabilities":{},"conditions":[],"availableUpdates":[{"version":"5.0.4","image":"d"}],` +
		`"conditionalUpdates":[{"release":{"version":"5.1.0","image":"e"},"riskNames":["A"],"risks":[{"url":"f","name":"A","message":"g",` +
		`"matchingRules":[{"type":"PromQL","promql":{"promql":"h"}},{"type":"Always"}]}],"conditions":[{"type":"Recommended","status":"False",` +
		`"observedGeneration":2,"lastTransitionTime":"2026-03-01T11:50:00Z","reason":"A","message":"i"}]}]}`
	var theirs configv1.ClusterVersionStatus
	var ours reader.ClusterVersionStatus
	for _, into := range []any{&theirs, &ours} {
		if err := json.Unmarshal([]byte(status), into); err != nil {
			t.Fatal(err)
		}
	}
	for name, pair := range map[string][2]any{
		"desired":            {ours.Desired, theirs.Desired},
		"availableUpdates":   {ours.AvailableUpdates, theirs.AvailableUpdates},
		"conditionalUpdates": {ours.ConditionalUpdates, theirs.ConditionalUpdates},
	} {
		if a, b := toJSON(t, pair[0]), toJSON(t, pair[1]); a != b {
			t.Errorf("%s: %s and %s", name, a, b)
		}
	}
	risk := ours.ConditionalUpdates[0].Risks[0]
	converted, err := Convert(risk)
	if err != nil || toJSON(t, converted) != toJSON(t, risk) {
		t.Errorf("converted: %s %v", toJSON(t, converted), err)
	}
	risk.Conditions = []reader.Condition{{LastTransitionTime: "yesterday"}}
	if _, err := Convert(risk); err == nil {
		t.Error("a time that is none is converted")
	}
}
