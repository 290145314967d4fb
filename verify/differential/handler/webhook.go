package main

import (
	"encoding/json"
	"encoding/pem"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
)

type review struct {
	APIVersion string    `json:"apiVersion"`
	Kind       string    `json:"kind"`
	Request    *asked    `json:"request,omitempty"`
	Response   *response `json:"response,omitempty"`
}

type asked struct {
	UID     string                       `json:"uid"`
	Version string                       `json:"desiredAPIVersion"`
	Objects []map[string]json.RawMessage `json:"objects"`
}

type response struct {
	UID     string                       `json:"uid"`
	Result  map[string]any               `json:"result"`
	Objects []map[string]json.RawMessage `json:"convertedObjects"`
}

// startWebhook listens on loopback until the program ends, and returns how a definition has to name it.
func startWebhook() map[string]any {
	server := httptest.NewUnstartedServer(http.HandlerFunc(convert))
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	bundle := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	return map[string]any{"url": server.URL, "caBundle": bundle}
}

func convert(w http.ResponseWriter, r *http.Request) {
	var in review
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil || in.Request == nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	out := response{UID: in.Request.UID, Result: map[string]any{"status": "Success"}}
	version, _ := json.Marshal(in.Request.Version)
	for _, object := range in.Request.Objects {
		object["apiVersion"] = version
		if r.URL.Path == "/swap" {
			swap(object)
		}
		out.Objects = append(out.Objects, object)
	}
	_ = json.NewEncoder(w).Encode(review{APIVersion: in.APIVersion, Kind: in.Kind, Response: &out})
}

// swap is its own inverse, as conversions to and fro have to be.
func swap(object map[string]json.RawMessage) {
	var spec map[string]json.RawMessage
	if json.Unmarshal(object["spec"], &spec) != nil || spec == nil {
		return
	}
	a, hasA := spec["a"]
	b, hasB := spec["b"]
	delete(spec, "a")
	delete(spec, "b")
	if hasA {
		spec["b"] = a
	}
	if hasB {
		spec["a"] = b
	}
	object["spec"], _ = json.Marshal(spec)
}
