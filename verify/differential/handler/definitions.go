package main

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver"
	informers "k8s.io/apiextensions-apiserver/pkg/client/informers/externalversions/apiextensions/v1"
	listers "k8s.io/apiextensions-apiserver/pkg/client/listers/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/registry/customresourcedefinition"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/uuid"
	"k8s.io/apiserver/pkg/authorization/authorizerfactory"
	"k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/apiserver/pkg/util/webhook"
	"k8s.io/client-go/tools/cache"
	"k8s.io/kube-openapi/pkg/validation/spec"
)

const definitionsPath = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"

// definitions are those that are served: an informer that hears of a change when it is written.
type definitions struct {
	cache.SharedIndexInformer
	indexer  cache.Indexer
	changed  cache.ResourceEventHandler
	lock     sync.Mutex
	internal map[string]*apiextensions.CustomResourceDefinition
}

var _ informers.CustomResourceDefinitionInformer = &definitions{}

func (d *definitions) Informer() cache.SharedIndexInformer { return d }

func (d *definitions) Lister() listers.CustomResourceDefinitionLister {
	return listers.NewCustomResourceDefinitionLister(d.indexer)
}

func (d *definitions) AddEventHandler(h cache.ResourceEventHandler) (cache.ResourceEventHandlerRegistration, error) {
	d.changed = h
	return nil, nil
}

func newHandlers(m *memory) (http.Handler, http.Handler) {
	d := &definitions{
		indexer:  cache.NewIndexer(cache.MetaNamespaceKeyFunc, cache.Indexers{}),
		internal: map[string]*apiextensions.CustomResourceDefinition{},
	}
	missing := http.HandlerFunc(http.NotFound)
	allowed := authorizerfactory.NewAlwaysAllowAuthorizer()
	var resolver webhook.AuthenticationInfoResolverWrapper = func(r webhook.AuthenticationInfoResolver) webhook.AuthenticationInfoResolver { return r }
	objects, err := apiserver.NewCustomResourceDefinitionHandler(nil, nil, d, missing, m, nil, nil,
		webhook.NewDefaultServiceResolver(), resolver, 1, allowed, time.Minute, time.Minute, map[string]*spec.Schema{}, 3<<20)
	if err != nil {
		panic(err)
	}
	return http.HandlerFunc(d.serve), objects
}

func (d *definitions) serve(w http.ResponseWriter, r *http.Request) {
	d.lock.Lock()
	defer d.lock.Unlock()
	body, _ := io.ReadAll(r.Body)
	name, part, _ := strings.Cut(strings.Trim(strings.TrimPrefix(r.URL.Path, definitionsPath), "/"), "/")
	crd, err := d.write(r, name, part, body)
	if err != nil {
		fail(w, err)
		return
	}
	_ = json.NewEncoder(w).Encode(crd)
}

func fail(w http.ResponseWriter, err error) {
	status := apierrors.NewInternalError(err).Status()
	var known apierrors.APIStatus
	if errors.As(err, &known) {
		status = known.Status()
	}
	w.WriteHeader(int(status.Code))
	_ = json.NewEncoder(w).Encode(status)
}

func (d *definitions) write(r *http.Request, name, part string, body []byte) (*v1.CustomResourceDefinition, error) {
	old := d.internal[name]
	if r.Method != http.MethodPost && old == nil {
		return nil, apierrors.NewNotFound(apiextensions.Resource("customresourcedefinitions"), name)
	}
	if r.Method == http.MethodGet {
		return external(old)
	}
	decoded, err := runtime.Decode(apiserver.Codecs.UniversalDecoder(apiextensions.SchemeGroupVersion), body)
	if err != nil {
		return nil, apierrors.NewBadRequest(err.Error())
	}
	next := decoded.(*apiextensions.CustomResourceDefinition)
	strategy := customresourcedefinition.NewStrategy(apiserver.Scheme)
	ctx := request.WithNamespace(r.Context(), "")
	switch {
	case r.Method == http.MethodPost:
		rest.FillObjectMetaSystemFields(next)
		err = rest.BeforeCreate(strategy, ctx, next)
		establish(next)
	case part == "status":
		stored := next.Status.StoredVersions
		next = old.DeepCopy()
		next.Status.StoredVersions = stored
	default:
		next.UID, next.CreationTimestamp = old.UID, old.CreationTimestamp
		err = rest.BeforeUpdate(strategy, ctx, next, old)
	}
	if err != nil {
		return nil, err
	}
	return d.keep(next)
}

// establish says what controllers say of a new definition, a while ago: a handler waits after that.
func establish(crd *apiextensions.CustomResourceDefinition) {
	crd.Status.AcceptedNames = crd.Spec.Names
	for _, kind := range []apiextensions.CustomResourceDefinitionConditionType{apiextensions.NamesAccepted, apiextensions.Established} {
		crd.Status.Conditions = append(crd.Status.Conditions, apiextensions.CustomResourceDefinitionCondition{
			Type: kind, Status: apiextensions.ConditionTrue, LastTransitionTime: metav1.NewTime(time.Now().Add(-time.Hour)),
		})
	}
}

// keep serves a definition. Its new UID makes the handler forget how it served the old one.
func (d *definitions) keep(crd *apiextensions.CustomResourceDefinition) (*v1.CustomResourceDefinition, error) {
	crd.ResourceVersion = nextRevision()
	d.internal[crd.Name] = crd
	served, err := external(crd)
	if err != nil {
		return nil, err
	}
	served = served.DeepCopy()
	served.UID = uuid.NewUUID()
	if err := d.indexer.Update(served); err != nil {
		return nil, err
	}
	d.changed.OnDelete(served)
	return external(crd)
}

func external(crd *apiextensions.CustomResourceDefinition) (*v1.CustomResourceDefinition, error) {
	var out v1.CustomResourceDefinition
	if err := v1.Convert_apiextensions_CustomResourceDefinition_To_v1_CustomResourceDefinition(crd.DeepCopy(), &out, nil); err != nil {
		return nil, err
	}
	out.APIVersion, out.Kind = "apiextensions.k8s.io/v1", "CustomResourceDefinition"
	return &out, nil
}
