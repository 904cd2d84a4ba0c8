package main

import (
	"time"

	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/history"
	"github.com/rowhouse/rowhouse/tenancy/record"
	"github.com/rowhouse/rowhouse/tenancy/revert"
)

// The defaults, as in the tags below.
const (
	defaultTrashDays   = 30
	defaultHistoryDays = 90
)

// retentionConfig says how long what was deleted and what was changed is kept.
type retentionConfig struct {
	TrashDays   int `name:"trash-days" env:"TRASH_DAYS" default:"30" help:"How many days deleted records, tables, fields, views and bases can be restored."`
	HistoryDays int `name:"history-days" env:"HISTORY_DAYS" default:"90" help:"How many days the history of changes is kept at least; it ends by whole months. Not fewer than TRASH_DAYS."`
}

const (
	maxRetentionDays = 3650
	// longestMonth is how much longer than asked for the history reaches at most, which ends by months.
	longestMonth = 31 * 24 * time.Hour
)

func (c *retentionConfig) check() error {
	if c.TrashDays < 0 || c.TrashDays > maxRetentionDays {
		return invalidError("TRASH_DAYS", "a number of days from 0 to 3650", "30")
	}
	// Deleted records are in the history.
	if c.HistoryDays < c.TrashDays || c.HistoryDays > maxRetentionDays {
		return invalidError("HISTORY_DAYS", "a number of days from TRASH_DAYS to 3650", "90")
	}
	return nil
}

func (c *retentionConfig) trash(tenantDB *db.DB, store *catalog.Store, records *record.Engine) *history.Trash {
	return history.NewTrash(history.TrashDeps{
		DB: tenantDB, Schema: store, Records: records, Restorer: revert.New(tenantDB, records),
		Keep: time.Duration(c.TrashDays) * 24 * time.Hour, History: time.Duration(c.HistoryDays) * 24 * time.Hour,
	})
}
