package reader

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

const valid = `{"format": "preflight-v1-json", "preflightID": "2026-03-01T11:00:00Z-preflight-5.2.0", "targetVersion": "5.2.0",
"executionStatus": "completed", "sourceVersion": "5.0.3", "observedAt": "2026-03-01T11:55:00Z",
"risks": [{"name": "A", "message": "A is wrong.", "url": "https://example.com/A"}]}`

func newSource(t *testing.T, request func() (Request, bool)) (*Source, string) {
	t.Helper()
	text, err := os.ReadFile("../../../schemas/preflight-v1.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	schema, err := ParseSchema(text)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "result.json")
	source := New(path, schema, request)
	source.now = func() time.Time { return time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC) }
	return source, path
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path+".new", []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(path+".new", path); err != nil {
		t.Fatal(err)
	}
}

func TestRisksAndFailures(t *testing.T) {
	request, isRequested := Request{Source: "5.0.3", Target: "5.2.0"}, true
	source, path := newSource(t, func() (Request, bool) { return request, isRequested })
	offered := []string{"5.1.0", "5.2.0"}

	if _, _, err := source.Risks(context.Background(), offered); !errors.Is(err, ErrMissing) {
		t.Errorf("without a file: %v", err)
	}
	write(t, path, valid)
	risks, versions, err := source.Risks(context.Background(), offered)
	if err != nil || len(risks) != 1 || len(versions["A"]) != 1 || versions["A"][0] != "5.2.0" {
		t.Fatalf("with a document: %v %v %v", risks, versions, err)
	}
	if got := risks[0].Conditions[0].LastTransitionTime; risks[0].Message != "5.0.3 -> 5.2.0: A is wrong." || got != "2026-03-01T12:00:00Z" {
		t.Errorf("the risk is %+v", risks[0])
	}
	if risks, _, _ := source.Risks(context.Background(), []string{"5.1.0"}); len(risks) != 0 {
		t.Errorf("a target that is not offered has risks: %v", risks)
	}
	for _, broken := range []struct {
		text string
		want string
	}{{valid[:20], ErrInvalid.Error()}, {strings.ReplaceAll(valid, "5.0.3", "5.0.2"), "OtherSource"}} {
		write(t, path, broken.text)
		risks, _, err := source.Risks(context.Background(), offered)
		if err == nil || !strings.HasPrefix(err.Error(), broken.want) || len(risks) != 1 {
			t.Errorf("%s: %v %v", broken.want, risks, err)
		}
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(path, 0o700); err != nil {
		t.Fatal(err)
	}
	if _, _, err := source.Risks(context.Background(), offered); !errors.Is(err, ErrUnreadable) {
		t.Errorf("a folder in its place: %v", err)
	}
	request.Target = "5.1.0"
	if risks, _, _ := source.Risks(context.Background(), offered); len(risks) != 0 {
		t.Errorf("another target has the risks of the one before: %v", risks)
	}
	isRequested = false
	if risks, _, err := source.Risks(context.Background(), offered); len(risks) != 0 || err != nil {
		t.Errorf("without a request: %v %v", risks, err)
	}
}

func TestNotify(t *testing.T) {
	source, path := newSource(t, func() (Request, bool) { return Request{}, false })
	ctx, stop := context.WithCancel(context.Background())
	changes, ended := make(chan struct{}), make(chan struct{})
	go func() {
		source.Notify(ctx, time.Millisecond, func() { changes <- struct{}{} })
		close(ended)
	}()
	time.Sleep(20 * time.Millisecond)
	select {
	case <-changes:
		t.Fatal("told of a change without one")
	default:
	}
	write(t, path, valid)
	<-changes
	write(t, path, valid)
	<-changes
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	<-changes
	stop()
	<-ended
}
