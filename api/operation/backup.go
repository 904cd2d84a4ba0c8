package operation

import (
	"context"
	"time"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/outbound/bucket"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/organization"
	"github.com/rowhouse/rowhouse/tenancy/transfer"
)

const noBackupTool = "the secret key of a bucket belongs into no conversation; people set up backups"

// BackupSettings say where the bases of an organization are backed up to.
type BackupSettings struct {
	Endpoint    string     `json:"endpoint" jsonschema:"URL of the S3 API"`
	Region      string     `json:"region"`
	Bucket      string     `json:"bucket"`
	Prefix      string     `json:"prefix" jsonschema:"folder in the bucket"`
	AccessKey   string     `json:"accessKey"`
	KeepDays    int        `json:"keepDays"`
	Recipient   string     `json:"recipient" jsonschema:"age public key that archives are encrypted for; empty: they are not"`
	Attachments bool       `json:"attachments"`
	NextAt      *time.Time `json:"nextAt" jsonschema:"when the next backups begin"`
	ChangedAt   *time.Time `json:"changedAt"`
	ChangedBy   string     `json:"changedBy,omitzero" jsonschema:"user id"`
}

func backupSettings(in *transfer.BackupSetting) BackupSettings {
	out := BackupSettings{
		Endpoint: in.Endpoint, Region: in.Region, Bucket: in.Bucket, Prefix: in.Prefix, AccessKey: in.AccessKey,
		KeepDays: in.KeepDays, Recipient: in.Recipient, Attachments: in.Attachments,
	}
	if in.ChangedBy != uuid.Nil { // it is stored
		out.NextAt, out.ChangedAt = inUTC(&in.NextAt), inUTC(&in.ChangedAt)
		out.ChangedBy = id.Format(id.User, in.ChangedBy)
	}
	return out
}

// SetUpBackups is the settings, if there are any.
type SetUpBackups struct {
	Settings *BackupSettings `json:"settings" jsonschema:"null: backups are off"`
}

// GetBackupSettings returns where an organization is backed up to.
var GetBackupSettings = New(Def{
	Name: "get_backup_settings", Method: "GET", Path: "/orgs/{orgId}/backups/settings", Title: "Get backup settings",
	Summary:     "See where the bases of an organization are backed up to each night, and when next.",
	Description: "Returns the settings without the secret key. list_backups has what came of them.",
	Scope:       authz.MembersRead, Role: organization.Admin, ReadOnly: true, Idempotent: true,
}, func(ctx context.Context, c *Call, _ OrgIn) (SetUpBackups, error) {
	found, err := c.Jobs.BackupSetting(ctx, c.Target.Org)
	if problem.KindOf(err) == problem.KindNotFound {
		return SetUpBackups{}, nil
	}
	if err != nil {
		return SetUpBackups{}, err
	}
	out := backupSettings(found)
	return SetUpBackups{&out}, nil
})

// SetBackupSettings sets where an organization is backed up to.
var SetBackupSettings = New(Def{
	Name: "set_backup_settings", Method: "PUT", Path: "/orgs/{orgId}/backups/settings", Title: "Set up backups",
	Summary: "Have all bases of an organization backed up each night to an S3 bucket of your own.",
	Description: "A small object is written, read and deleted first; what the store answers to that is the error, " +
		"and nothing is stored. Returns the settings; with dryRun, nothing is stored either way.",
	Scope: authz.MembersManage, Idempotent: true, Destructive: true, OpenWorld: true, Unlogged: true,
	Waits: transfer.TestTime,
	Agent: Agent{NotATool: noBackupTool},
}, func(ctx context.Context, c *Call, in struct {
	OrgIn
	Endpoint    string `json:"endpoint" minLength:"1" maxLength:"500" jsonschema:"URL of the S3 API, such as https://s3.eu-central-1.amazonaws.com"`
	Region      string `json:"region,omitzero" maxLength:"100" jsonschema:"default: the store is asked"`
	Bucket      string `json:"bucket" minLength:"3" maxLength:"63"`
	Prefix      string `json:"prefix,omitzero" maxLength:"500" jsonschema:"folder in the bucket"`
	AccessKey   string `json:"accessKey" minLength:"1" maxLength:"200"`
	SecretKey   string `json:"secretKey,omitzero" maxLength:"500" jsonschema:"default: the one that is stored, for the same endpoint and access key"`
	KeepDays    *int   `json:"keepDays,omitzero" min:"1" max:"3650" default:"30" jsonschema:"after which a backup is deleted if there is a newer good one"`
	Recipient   string `json:"recipient,omitzero" maxLength:"2500" jsonschema:"age public key to encrypt archives for"`
	Attachments *bool  `json:"attachments,omitzero" jsonschema:"put files into the archives; default true"`
	DryRun      bool   `json:"dryRun,omitzero" jsonschema:"only test the destination"`
},
) (BackupSettings, error) {
	// Who has the bucket has all records.
	for _, scope := range []authz.Scope{authz.DataRead, authz.SchemaRead} {
		if err := c.Principal.RequireScope(scope); err != nil {
			return BackupSettings{}, err
		}
	}
	if err := c.Files.CheckConfigured(); err != nil {
		return BackupSettings{}, err
	}
	wanted := &transfer.BackupSetting{
		Destination: bucket.Destination{
			Endpoint: in.Endpoint, Region: in.Region, Bucket: in.Bucket, Prefix: in.Prefix, AccessKey: in.AccessKey,
			SecretKey: in.SecretKey,
		},
		KeepDays: 30, Recipient: in.Recipient, Attachments: true,
	}
	if in.KeepDays != nil {
		wanted.KeepDays = *in.KeepDays
	}
	if in.Attachments != nil {
		wanted.Attachments = *in.Attachments
	}
	c.unwritten = true
	err := c.Jobs.CheckBackups(ctx, c.Target.Org, wanted)
	if err != nil {
		return BackupSettings{}, err
	}
	var failure error
	if err := c.idle(ctx, func() { failure = c.Jobs.TestDestination(ctx, &wanted.Destination) }); err != nil {
		return BackupSettings{}, err
	}
	if failure == nil && !in.DryRun {
		failure = c.Jobs.SetBackups(ctx, c.Target.Org, c.Principal.Person, wanted)
	}
	if failure != nil {
		return BackupSettings{}, failure
	}
	return backupSettings(wanted), nil
})

// DeleteBackupSettings ends the backups of an organization.
var DeleteBackupSettings = New(Def{
	Name: "delete_backup_settings", Method: "DELETE", Path: "/orgs/{orgId}/backups/settings",
	Title:   "Switch backups off",
	Summary: "Back up the bases of an organization no more, and forget the key of the bucket.",
	Description: "What is in the bucket stays there, and nothing is deleted from it any more. Returns the " +
		"organization.",
	Scope: authz.MembersManage, Idempotent: true, Destructive: true, Unlogged: true,
	Agent: Agent{NotATool: noBackupTool},
}, func(ctx context.Context, c *Call, in OrgIn) (Changed, error) {
	c.unwritten = true
	return Changed{ID: in.OrgID}, c.Jobs.ForgetBackups(ctx, c.Target.Org)
})

// BackupsBegun says how many backups have begun.
type BackupsBegun struct {
	Backups int `json:"backups" jsonschema:"bases whose last backup has not ended get none"`
}

// StartBackups begins backups now.
var StartBackups = New(Def{
	Name: "start_backups", Method: "POST", Path: "/orgs/{orgId}/backups", Title: "Back up now",
	Summary: "Begin backups of all bases of an organization, or of one.",
	Description: "They go where get_backup_settings says, and list_backups has how they end. Returns how many have " +
		"begun.",
	Scope: authz.MembersManage, Accepted: true, Unlogged: true, OpenWorld: true,
}, func(ctx context.Context, c *Call, in struct {
	OrgIn
	BaseID string `json:"baseId,omitzero" jsonschema:"default: all bases"`
},
) (BackupsBegun, error) {
	base := uuid.Nil
	if in.BaseID != "" {
		var err error
		if base, err = id.Parse(id.Base, in.BaseID); err != nil {
			return BackupsBegun{}, problem.NotFound("base", in.BaseID)
		}
	}
	c.unwritten = true
	begun, err := c.Jobs.BeginBackups(ctx, c.Target.Org, base, c.Principal.Person)
	return BackupsBegun{begun}, err
})

// Backup is one backup of a base.
type Backup struct {
	ID        string               `json:"id"`
	Base      Named                `json:"base" jsonschema:"with its name of then"`
	State     transfer.BackupState `json:"state" jsonschema:"running, ok (it was restored and is what its manifest says) or failed"`
	Store     string               `json:"store" jsonschema:"endpoint and bucket"`
	Object    string               `json:"object" jsonschema:"name in the bucket"`
	InBucket  bool                 `json:"inBucket" jsonschema:"it was written, and not deleted by Rowhouse"`
	Encrypted bool                 `json:"encrypted"`
	Bytes     int64                `json:"bytes"`
	SHA256    string               `json:"sha256,omitzero" jsonschema:"of the object"`
	Tables    int                  `json:"tables" jsonschema:"that were restored"`
	Records   int64                `json:"records"`
	Files     int64                `json:"files"`
	Message   string               `json:"message,omitzero" jsonschema:"why it failed, or what differs"`
	UserID    string               `json:"userId,omitzero" jsonschema:"who asked for it; none: it was time"`
	StartedAt time.Time            `json:"startedAt"`
	EndedAt   *time.Time           `json:"endedAt"`
}

func backupOf(b *transfer.Backup) Backup {
	out := Backup{
		ID: id.Format(id.Backup, b.ID), Base: Named{id.Format(id.Base, b.Base), b.BaseName}, State: b.State,
		Store: b.Store, Object: b.Object, InBucket: b.Uploaded && b.DeletedAt == nil, Encrypted: b.Encrypted,
		Bytes: b.Bytes, SHA256: b.SHA256, Tables: b.Tables, Records: b.Records, Files: b.Files, Message: b.Message,
		StartedAt: b.StartedAt.UTC(), EndedAt: inUTC(b.EndedAt),
	}
	if b.Person != uuid.Nil {
		out.UserID = id.Format(id.User, b.Person)
	}
	return out
}

// BackupList is a page of backups.
type BackupList struct {
	Backups    []Backup `json:"backups"`
	NextCursor *string  `json:"nextCursor"`
}

// ListBackups lists the backups of an organization.
var ListBackups = New(Def{
	Name: "list_backups", Method: "GET", Path: "/orgs/{orgId}/backups", Title: "List backups",
	Summary:     "List the backups of the bases of an organization, the latest first.",
	Description: "Returns a page of backups, each with whether restoring it showed what its manifest says.",
	Scope:       authz.MembersRead, Role: organization.Admin, ReadOnly: true, Idempotent: true,
}, func(ctx context.Context, c *Call, in struct {
	OrgIn
	Limit  *int   `json:"limit,omitzero" min:"1" max:"100" default:"20"`
	Cursor string `json:"cursor,omitzero" maxLength:"100"`
},
) (BackupList, error) {
	limit, before := 20, uuid.Nil
	if in.Limit != nil {
		limit = *in.Limit
	}
	if in.Cursor != "" {
		var err error
		if before, err = id.Parse(id.Backup, in.Cursor); err != nil {
			return BackupList{}, problem.Invalid("cursor", "must be the nextCursor of an earlier page")
		}
	}
	found, err := c.Jobs.Backups(ctx, c.Target.Org, before, limit+1)
	if err != nil {
		return BackupList{}, err
	}
	out := BackupList{Backups: []Backup{}}
	if len(found) > limit {
		found = found[:limit]
		next := id.Format(id.Backup, found[limit-1].ID)
		out.NextCursor = &next
	}
	for i := range found {
		out.Backups = append(out.Backups, backupOf(&found[i]))
	}
	return out, nil
})
