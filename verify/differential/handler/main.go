// Answers requests as a kube-apiserver does, with the handler of its own packages and objects in memory instead of etcd.
//
// It reads JSON lines, {"id", "method", "path", "body", "type"}, and writes {"id", "code", "body"} for each, in any order. Definitions are
// created, read and replaced under their usual path and serve at once; /etcd/KEY is what is stored, and all other paths are those of
// objects. The first line that it writes says where a conversion webhook listens: /none changes apiVersion alone, /swap also swaps spec.a
// and spec.b.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"

	"github.com/go-logr/logr"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/apiserver/pkg/audit"
	"k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/klog/v2"
)

const workers = 4

type question struct {
	ID     int             `json:"id"`
	Method string          `json:"method"`
	Path   string          `json:"path"`
	Body   json.RawMessage `json:"body"`
	Type   string          `json:"type"`
}

type answer struct {
	ID   int             `json:"id"`
	Code int             `json:"code"`
	Body json.RawMessage `json:"body"`
}

var infos = request.RequestInfoFactory{
	APIPrefixes:          sets.NewString("api", "apis"),
	GrouplessAPIPrefixes: sets.NewString("api"),
}

func ask(definitions, objects, etcd http.Handler, q question) (out answer) {
	r := httptest.NewRequest(q.Method, "https://localhost"+q.Path, strings.NewReader(string(q.Body)))
	r.Header.Set("Content-Type", q.Type)
	r.Header.Set("Accept", "application/json")
	r.Header.Set("User-Agent", "differential")
	info, err := infos.NewRequestInfo(r)
	if err != nil {
		return answer{ID: q.ID, Code: http.StatusBadRequest}
	}
	defer func() {
		if p := recover(); p != nil {
			body, _ := json.Marshal(map[string]string{"message": fmt.Sprint("panic: ", p)})
			out = answer{ID: q.ID, Code: http.StatusInternalServerError, Body: body}
		}
	}()
	r = r.WithContext(audit.WithAuditContext(request.WithRequestInfo(r.Context(), info)))
	w := httptest.NewRecorder()
	switch {
	case strings.HasPrefix(r.URL.Path, definitionsPath):
		definitions.ServeHTTP(w, r)
	case strings.HasPrefix(r.URL.Path, "/etcd/"):
		etcd.ServeHTTP(w, r)
	default:
		objects.ServeHTTP(w, r)
	}
	body := json.RawMessage(w.Body.Bytes())
	if !json.Valid(body) {
		body, _ = json.Marshal(map[string]string{"message": w.Body.String()})
	}
	return answer{ID: q.ID, Code: w.Code, Body: body}
}

func main() {
	klog.SetLogger(logr.Discard())
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	enc := json.NewEncoder(os.Stdout)
	if err := enc.Encode(startWebhook()); err != nil {
		panic(err)
	}
	etcd := newMemory()
	definitions, objects := newHandlers(etcd)
	questions := make(chan question, 100)
	var lock sync.Mutex
	var all sync.WaitGroup
	for range workers {
		all.Go(func() {
			for q := range questions {
				a := ask(definitions, objects, etcd, q)
				lock.Lock()
				_ = enc.Encode(a)
				lock.Unlock()
			}
		})
	}
	for {
		line, err := in.ReadBytes('\n')
		if len(line) > 1 {
			var q question
			if err := json.Unmarshal(line, &q); err != nil {
				panic(err)
			}
			questions <- q
		}
		if err != nil {
			break
		}
	}
	close(questions)
	all.Wait()
}
