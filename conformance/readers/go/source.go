package reader

import (
	"context"
	"fmt"
	"os"
	"slices"
	"sync"
	"time"
)

// Source has the shape of pkg/risk.Source of the cluster-version operator: a name, and the risks of the offered versions. It keeps the last
// completed result, so a document that is missing, running, failed or broken takes nothing back.
type Source struct {
	path    string
	schema  *Schema
	request func() (Request, bool)
	now     func() time.Time

	lock sync.Mutex
	kept *Result
}

// New makes a source of a document. `request` returns the preflight that is requested now, and false if there is none.
func New(path string, schema *Schema, request func() (Request, bool)) *Source {
	return &Source{path: path, schema: schema, request: request, now: time.Now}
}

// Name is the name of the source in the operator's log.
func (s *Source) Name() string {
	return "Preflight"
}

// Risks returns the risks of the target, if that is one of the versions, and by name which versions have them. As in the operator, risks
// and an error may come together: the error says why the present document does not count, and the risks are those of the one before.
func (s *Source) Risks(_ context.Context, versions []string) ([]ConditionalUpdateRisk, map[string][]string, error) {
	s.lock.Lock()
	defer s.lock.Unlock()
	request, isRequested := s.request()
	if !isRequested {
		s.kept = nil
		return nil, nil, nil
	}
	if s.kept != nil && !s.kept.isFor(request) {
		s.kept = nil
	}
	document, failure := Read(s.path, s.schema)
	var rejection Rejection
	rejection, s.kept = request.Judge(document, failure, s.kept, s.now())
	if failure == nil && rejection != "" {
		failure = fmt.Errorf("%s: the document of %s does not count", rejection, document.PreflightID)
	}
	if s.kept == nil || !slices.Contains(versions, request.Target) {
		return nil, nil, failure
	}
	of := map[string][]string{}
	for _, risk := range s.kept.Risks {
		of[risk.Name] = []string{request.Target}
	}
	return slices.Clone(s.kept.Risks), of, failure
}

// isFor tells whether the result answers a request.
func (r *Result) isFor(request Request) bool {
	isSameImage := r.Image == "" || request.Image == "" || r.Image == request.Image
	return r.Source == request.Source && r.Target == request.Target && isSameImage
}

// Notify calls `changed` whenever the file has been replaced, appeared or gone, until the context ends. The runner replaces the file in one
// step, so its time, size and identity tell; a hostPath has no notifications across mounts that could be relied on.
func (s *Source) Notify(ctx context.Context, every time.Duration, changed func()) {
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	before, _ := os.Stat(s.path)
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		after, _ := os.Stat(s.path)
		if !isSameFile(before, after) {
			changed()
		}
		before = after
	}
}

func isSameFile(a, b os.FileInfo) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	return os.SameFile(a, b) && a.Size() == b.Size() && a.ModTime().Equal(b.ModTime())
}
