// Package reader reads preflight-v1-json documents and gives their risks, in the shape of the cluster-version operator's pkg/risk. It
// needs the standard library only: the types are those of openshift/api config/v1 as far as risks need them, with the same JSON.
package reader

import "encoding/json"

// Condition is a metav1.Condition.
type Condition struct {
	Type               string `json:"type"`
	Status             string `json:"status"`
	ObservedGeneration int64  `json:"observedGeneration,omitempty"`
	LastTransitionTime string `json:"lastTransitionTime"`
	Reason             string `json:"reason"`
	Message            string `json:"message"`
}

// Rule is a ClusterCondition.
type Rule struct {
	Type   string  `json:"type"`
	PromQL *PromQL `json:"promql,omitempty"`
}

// PromQL is a PromQLClusterCondition.
type PromQL struct {
	PromQL string `json:"promql"`
}

// ConditionalUpdateRisk is a risk of an update.
type ConditionalUpdateRisk struct {
	Conditions    []Condition `json:"conditions,omitempty"`
	URL           string      `json:"url"`
	Name          string      `json:"name"`
	Message       string      `json:"message"`
	MatchingRules []Rule      `json:"matchingRules"`
}

// Release is a release that is offered.
type Release struct {
	Architecture string   `json:"architecture,omitempty"`
	Version      string   `json:"version"`
	Image        string   `json:"image"`
	URL          string   `json:"url,omitempty"`
	Channels     []string `json:"channels,omitempty"`
}

// ConditionalUpdate is an update with risks.
type ConditionalUpdate struct {
	Release    Release                 `json:"release"`
	RiskNames  []string                `json:"riskNames,omitempty"`
	Risks      []ConditionalUpdateRisk `json:"risks"`
	Conditions []Condition             `json:"conditions,omitempty"`
}

// UpdateHistory is an entry of the history, the newest first.
type UpdateHistory struct {
	State   string `json:"state"`
	Version string `json:"version"`
}

// ClusterVersion has what a reader needs of one.
type ClusterVersion struct {
	Metadata struct {
		Generation int64 `json:"generation"`
	} `json:"metadata"`
	Spec struct {
		DesiredUpdate struct {
			AcceptRisks []struct {
				Name string `json:"name"`
			} `json:"acceptRisks"`
		} `json:"desiredUpdate"`
	} `json:"spec"`
	Status ClusterVersionStatus `json:"status"`
}

// ClusterVersionStatus has what a reader needs of it.
type ClusterVersionStatus struct {
	Desired                Release                 `json:"desired"`
	History                []UpdateHistory         `json:"history"`
	ObservedGeneration     int64                   `json:"observedGeneration"`
	AvailableUpdates       []Release               `json:"availableUpdates"`
	ConditionalUpdates     []ConditionalUpdate     `json:"conditionalUpdates,omitempty"`
	ConditionalUpdateRisks []ConditionalUpdateRisk `json:"conditionalUpdateRisks,omitempty"`
	Conditions             []Condition             `json:"conditions,omitempty"`
}

// RunningVersion is the version of the last completed update, or else the desired one.
func (s *ClusterVersionStatus) RunningVersion() string {
	for _, entry := range s.History {
		if entry.State == "Completed" {
			return entry.Version
		}
	}
	return s.Desired.Version
}

func find(conditions []Condition, kind string) *Condition {
	for i := range conditions {
		if conditions[i].Type == kind {
			return &conditions[i]
		}
	}
	return nil
}

// withCondition replaces the condition of the same type in its place, or appends it.
func withCondition(conditions []Condition, condition Condition) []Condition {
	after := append([]Condition(nil), conditions...)
	if present := find(after, condition.Type); present != nil {
		*present = condition
		return after
	}
	return append(after, condition)
}

// definition is what is left of a risk without its conditions: two risks with the same one are the same.
func definition(risk ConditionalUpdateRisk) string {
	risk.Conditions = nil
	text, _ := json.Marshal(risk)
	return string(text)
}
