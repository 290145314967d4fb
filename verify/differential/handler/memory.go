package main

import (
	"bytes"
	"context"
	"net/http"
	"sort"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/registry/generic"
	"k8s.io/apiserver/pkg/storage"
	"k8s.io/apiserver/pkg/storage/storagebackend"
	"k8s.io/apiserver/pkg/storage/storagebackend/factory"
	"k8s.io/client-go/tools/cache"
)

var revision atomic.Int64

func nextRevision() string { return strconv.FormatInt(revision.Add(1), 10) }

type entry struct {
	text     []byte
	revision int64
}

// memory has what etcd would have, by the same keys.
type memory struct {
	lock    sync.Mutex
	entries map[string]entry
}

func newMemory() *memory { return &memory{entries: map[string]entry{}} }

func (m *memory) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	m.lock.Lock()
	defer m.lock.Unlock()
	found, ok := m.entries[strings.TrimPrefix(r.URL.Path, "/etcd")]
	if !ok {
		http.NotFound(w, r)
		return
	}
	_, _ = w.Write(found.text)
}

func (m *memory) GetRESTOptions(resource schema.GroupResource, _ runtime.Object) (generic.RESTOptions, error) {
	config := storagebackend.Config{Codec: unstructured.UnstructuredJSONScheme}
	return generic.RESTOptions{
		StorageConfig:           config.ForResource(resource),
		Decorator:               m.open,
		EnableGarbageCollection: true,
		DeleteCollectionWorkers: 1,
		ResourcePrefix:          resource.Group + "/" + resource.Resource,
	}, nil
}

func (m *memory) open(config *storagebackend.ConfigForResource, _ string, _ func(runtime.Object) (string, error),
	_ func() runtime.Object, _ func() runtime.Object, _ storage.AttrFunc, _ storage.IndexerFuncs, _ *cache.Indexers,
) (storage.Interface, factory.DestroyFunc, error) {
	return &store{memory: m, codec: config.Codec}, func() {}, nil
}

// store is the memory through the codec of a version. It has what handlers of single objects and of lists call.
type store struct {
	storage.Interface
	*memory
	codec runtime.Codec
}

var versioner = storage.APIObjectVersioner{}

func (s *store) Versioner() storage.Versioner { return versioner }
func (s *store) ReadinessCheck() error        { return nil }

func (s *store) find(key string) (entry, bool) {
	s.lock.Lock()
	defer s.lock.Unlock()
	found, ok := s.entries[key]
	return found, ok
}

func (s *store) decode(key string, from entry, into runtime.Object) error {
	if _, _, err := s.codec.Decode(from.text, nil, into); err != nil {
		return err
	}
	return versioner.UpdateObject(into, uint64(from.revision))
}

func (s *store) put(key string, obj runtime.Object) (entry, error) {
	if err := versioner.PrepareObjectForStorage(obj); err != nil {
		return entry{}, err
	}
	text, err := runtime.Encode(s.codec, obj)
	if err != nil {
		return entry{}, err
	}
	return s.keep(key, text), nil
}

func (s *store) keep(key string, text []byte) entry {
	s.lock.Lock()
	defer s.lock.Unlock()
	kept := entry{text: text, revision: revision.Add(1)}
	s.entries[key] = kept
	return kept
}

func (s *store) Create(_ context.Context, key string, obj, out runtime.Object, _ uint64) error {
	if _, exists := s.find(key); exists {
		return storage.NewKeyExistsError(key, 0)
	}
	kept, err := s.put(key, obj)
	if err != nil || out == nil {
		return err
	}
	return s.decode(key, kept, out)
}

func (s *store) Get(_ context.Context, key string, opts storage.GetOptions, into runtime.Object) error {
	found, ok := s.find(key)
	if ok {
		return s.decode(key, found, into)
	}
	if opts.IgnoreNotFound {
		return runtime.SetZeroValue(into)
	}
	return storage.NewKeyNotFoundError(key, 0)
}

// newItem has the version to which what is decoded into it gets converted.
func newItem(list runtime.Object) runtime.Object {
	item := &unstructured.Unstructured{}
	item.SetAPIVersion(list.(*unstructured.UnstructuredList).GetAPIVersion())
	return item
}

func (s *store) GetList(_ context.Context, key string, opts storage.ListOptions, list runtime.Object) error {
	prefix := strings.TrimSuffix(key, "/") + "/"
	s.lock.Lock()
	defer s.lock.Unlock()
	var keys []string
	for one := range s.entries {
		if strings.HasPrefix(one, prefix) {
			keys = append(keys, one)
		}
	}
	sort.Strings(keys)
	var items []runtime.Object
	for _, one := range keys {
		item := newItem(list)
		if err := s.decode(one, s.entries[one], item); err != nil {
			return err
		}
		if matches, err := opts.Predicate.Matches(item); err != nil || !matches {
			continue
		}
		items = append(items, item)
	}
	if err := meta.SetList(list, items); err != nil {
		return err
	}
	return versioner.UpdateList(list, uint64(revision.Load()), "", nil)
}

func (s *store) Delete(ctx context.Context, key string, out runtime.Object, preconditions *storage.Preconditions,
	validate storage.ValidateObjectFunc, _ runtime.Object, _ storage.DeleteOptions) error {
	found, ok := s.find(key)
	if !ok {
		return storage.NewKeyNotFoundError(key, 0)
	}
	if err := s.decode(key, found, out); err != nil {
		return err
	}
	if err := preconditions.Check(key, out); err != nil {
		return err
	}
	if err := validate(ctx, out); err != nil {
		return err
	}
	s.lock.Lock()
	defer s.lock.Unlock()
	delete(s.entries, key)
	return nil
}

func (s *store) GuaranteedUpdate(_ context.Context, key string, into runtime.Object, ignoreNotFound bool,
	preconditions *storage.Preconditions, try storage.UpdateFunc, _ runtime.Object) error {
	found, ok := s.find(key)
	if !ok && !ignoreNotFound {
		return storage.NewKeyNotFoundError(key, 0)
	}
	current := into.(runtime.Unstructured).NewEmptyInstance()
	if ok {
		if err := s.decode(key, found, current); err != nil {
			return err
		}
		if err := preconditions.Check(key, current); err != nil {
			return err
		}
	}
	next, _, err := try(current, storage.ResponseMeta{ResourceVersion: uint64(found.revision)})
	if err != nil {
		return err
	}
	if err := versioner.PrepareObjectForStorage(next); err != nil {
		return err
	}
	text, err := runtime.Encode(s.codec, next)
	if err != nil {
		return err
	}
	if !ok || !bytes.Equal(text, found.text) {
		found = s.keep(key, text)
	}
	return s.decode(key, found, into)
}
