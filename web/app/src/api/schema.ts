// Written by `npm run generate` from the OpenAPI document 689da23225d98bad7b7a93d29b9643a4bdb0723bf6602a8e014de076587d93d4; not to be edited.

export interface paths {
    "/api/v1/bases": {
        /** List every base that you can access, of all your organizations. */
        get: operations["list_bases"];
        /** Create an empty base. */
        post: operations["create_base"];
    };
    "/api/v1/bases/{baseId}": {
        /** Get a base with its tables, fields and views. */
        get: operations["describe_base"];
        /** Delete a base with all its tables and records. */
        delete: operations["delete_base"];
        /** Change a base's name, icon or timeZone, or move it to another workspace. */
        patch: operations["update_base"];
    };
    "/api/v1/bases/{baseId}/access": {
        /** Say who sees a base, with which role, and what was granted to people and groups. */
        get: operations["get_base_access"];
        /** Give people and groups roles in a base, or restrict it to those who have one. */
        patch: operations["set_base_access"];
    };
    "/api/v1/bases/{baseId}/access/explain": {
        /** Say what a person may do in a base, a table, a field or with a record, and what decides it. */
        post: operations["explain_access"];
    };
    "/api/v1/bases/{baseId}/change-sets": {
        /** List what was changed in a base, newest first. */
        get: operations["list_change_sets"];
    };
    "/api/v1/bases/{baseId}/changes": {
        /** List every change of a base since a cursor, oldest first, with before and after. */
        get: operations["list_changes"];
    };
    "/api/v1/bases/{baseId}/changes/revert": {
        /** Take back changes: change sets by id, or all by a credential since a moment. */
        post: operations["revert_changes"];
    };
    "/api/v1/bases/{baseId}/dashboards": {
        /** List the dashboards of a base with their tiles. */
        get: operations["list_dashboards"];
        /** Create a dashboard of a base. */
        post: operations["create_dashboard"];
    };
    "/api/v1/bases/{baseId}/dashboards/{dashboardId}": {
        /** Get one dashboard. */
        get: operations["get_dashboard"];
        /** Delete a dashboard, and none of the views on it. */
        delete: operations["delete_dashboard"];
        /** Change the name or the tiles of a dashboard. */
        patch: operations["update_dashboard"];
    };
    "/api/v1/bases/{baseId}/duplicate": {
        /** Begin a job that makes a copy of a base. */
        post: operations["duplicate_base"];
    };
    "/api/v1/bases/{baseId}/exports": {
        /** Begin a job that writes all tables of a base into a file. */
        post: operations["export_base"];
    };
    "/api/v1/bases/{baseId}/imports": {
        /** Begin a job that makes a table of a file of any size. */
        post: operations["import_base"];
    };
    "/api/v1/bases/{baseId}/live": {
        /** Watch the changes of a base. */
        get: operations["watch_base"];
    };
    "/api/v1/bases/{baseId}/presence": {
        /** Say that you have a base open, and which cell is yours. */
        put: operations["set_presence"];
    };
    "/api/v1/bases/{baseId}/search": {
        /** Find the records of a base that have all the given words, in any field and any order. */
        get: operations["search_base"];
    };
    "/api/v1/bases/{baseId}/share": {
        /** Get whether anyone can read a base without signing in. */
        get: operations["get_public_share"];
        /** Make a base readable by anyone who has its share id, without signing in. */
        put: operations["set_public_share"];
        /** Stop sharing a base publicly. */
        delete: operations["disable_public_share"];
    };
    "/api/v1/bases/{baseId}/sql": {
        /** Run one SELECT of PostgreSQL over the tables of a base. */
        post: operations["query_sql"];
    };
    "/api/v1/bases/{baseId}/tables": {
        /** List the tables of a base, ids and names alone. */
        get: operations["list_tables"];
        /** Create a table, optionally with its fields. */
        post: operations["create_table"];
    };
    "/api/v1/bases/{baseId}/trash": {
        /** List what was deleted in a base, latest first. */
        get: operations["list_trash"];
    };
    "/api/v1/bases/{baseId}/trash/purge": {
        /** Delete items of the trash for good, at once. */
        post: operations["purge_trash"];
    };
    "/api/v1/bases/{baseId}/trash/restore": {
        /** Bring back deleted records, tables, fields or views by their ids, which deletions and list_trash return. */
        post: operations["restore"];
    };
    "/api/v1/bases/{baseId}/uploads": {
        /** Upload a file for an import into a new table. */
        post: operations["upload_import"];
    };
    "/api/v1/bases/{baseId}/webhooks": {
        /** List the webhooks of a base. */
        get: operations["list_webhooks"];
        /** Have the changes of a base sent to a URL. */
        post: operations["create_webhook"];
    };
    "/api/v1/bases/{baseId}/webhooks/{webhookId}": {
        /** Get a webhook, and whether it works. */
        get: operations["get_webhook"];
        /** Delete a webhook with its deliveries. */
        delete: operations["delete_webhook"];
        /** Change what a webhook tells of, or enable or disable it. */
        patch: operations["update_webhook"];
    };
    "/api/v1/bases/{baseId}/webhooks/{webhookId}/deliveries": {
        /** List the deliveries of a webhook, latest first. */
        get: operations["list_webhook_deliveries"];
    };
    "/api/v1/bases/{baseId}/webhooks/{webhookId}/deliveries/{deliveryId}/send": {
        /** Send a delivery again, or at once if it waits. */
        post: operations["send_webhook_delivery"];
    };
    "/api/v1/bases/{baseId}/webhooks/{webhookId}/secret": {
        /** Replace the secret of a webhook. */
        post: operations["rotate_webhook_secret"];
    };
    "/api/v1/comments/{commentId}": {
        /** Get one comment. */
        get: operations["get_comment"];
        /** Delete a comment for good. */
        delete: operations["delete_comment"];
        /** Change the text of your own comment. */
        patch: operations["update_comment"];
    };
    "/api/v1/comments/{commentId}/resolution": {
        /** Resolve the thread of a comment, or open it again. */
        put: operations["resolve_comment"];
    };
    "/api/v1/deleted-orgs": {
        /** List the organizations that you owned and that restore_org can bring back. */
        get: operations["list_deleted_orgs"];
    };
    "/api/v1/deleted-orgs/{deletedOrgId}": {
        /** Remove a deleted organization that you owned for good, at once. */
        delete: operations["purge_org"];
    };
    "/api/v1/deleted-orgs/{deletedOrgId}/restore": {
        /** Bring back an organization that you owned and that was deleted. */
        post: operations["restore_org"];
    };
    "/api/v1/downloads/{token}": {
        /** Fetch an export from a download address. */
        get: operations["fetch_download"];
    };
    "/api/v1/field-types": {
        /** The types that a field may have. */
        get: operations["list_field_types"];
    };
    "/api/v1/fields/{fieldId}": {
        /** Get one field. */
        get: operations["get_field"];
        /** Delete a field with its values. */
        delete: operations["delete_field"];
        /** Change a field's name, type, configuration, visibility or width. */
        patch: operations["update_field"];
    };
    "/api/v1/inbox": {
        /** List the comments that mention you and the replies to you, the latest first, and failed backups for admins. */
        get: operations["list_inbox"];
    };
    "/api/v1/jobs/{jobId}": {
        /** See how far an import or an export is, and its report and file when it has ended. */
        get: operations["get_job"];
    };
    "/api/v1/jobs/{jobId}/cancel": {
        /** End an import or an export that has not ended. */
        post: operations["cancel_job"];
    };
    "/api/v1/me": {
        /** Say who you are: your user id, scopes, organizations with your role in each, and the bases that you can access. */
        get: operations["get_me"];
    };
    "/api/v1/orgs": {
        /** List the organizations that you belong to. */
        get: operations["list_orgs"];
        /** Create an organization, which you own. */
        post: operations["create_org"];
    };
    "/api/v1/orgs/{orgId}": {
        /** Get one organization. */
        get: operations["get_org"];
        /** Delete an organization with its workspaces, bases, records and members. */
        delete: operations["delete_org"];
        /** Change the name or the icon of an organization. */
        patch: operations["update_org"];
    };
    "/api/v1/orgs/{orgId}/audit": {
        /** List who changed schemas, shares, members and credentials, newest first. */
        get: operations["list_audit_events"];
    };
    "/api/v1/orgs/{orgId}/backups": {
        /** List the backups of the bases of an organization, the latest first. */
        get: operations["list_backups"];
        /** Begin backups of all bases of an organization, or of one. */
        post: operations["start_backups"];
    };
    "/api/v1/orgs/{orgId}/backups/settings": {
        /** See where the bases of an organization are backed up to each night, and when next. */
        get: operations["get_backup_settings"];
        /** Have all bases of an organization backed up each night to an S3 bucket of your own. */
        put: operations["set_backup_settings"];
        /** Back up the bases of an organization no more, and forget the key of the bucket. */
        delete: operations["delete_backup_settings"];
    };
    "/api/v1/orgs/{orgId}/groups": {
        /** List the groups of an organization with the user ids of their members. */
        get: operations["list_groups"];
        /** Create a group of members, to give them permissions together. */
        post: operations["create_group"];
    };
    "/api/v1/orgs/{orgId}/groups/{groupId}": {
        /** Delete a group. Its members lose what it gave them. */
        delete: operations["delete_group"];
        /** Change a group's name, or who is in it. */
        patch: operations["update_group"];
    };
    "/api/v1/orgs/{orgId}/inbox/read": {
        /** Mark items of your inbox as read: those with ids, those about a record, or all. */
        post: operations["mark_inbox_read"];
    };
    "/api/v1/orgs/{orgId}/invitations": {
        /** List the pending and expired invitations of an organization. */
        get: operations["list_invitations"];
        /** Invite a person to an organization by e-mail. */
        post: operations["invite_member"];
    };
    "/api/v1/orgs/{orgId}/invitations/{invitationId}": {
        /** Revoke a pending invitation. */
        delete: operations["revoke_invitation"];
    };
    "/api/v1/orgs/{orgId}/jobs": {
        /** List imports and exports of the last 30 days, the latest first. */
        get: operations["list_jobs"];
    };
    "/api/v1/orgs/{orgId}/leave": {
        /** Leave an organization yourself. */
        post: operations["leave_org"];
    };
    "/api/v1/orgs/{orgId}/members": {
        /** List the members of an organization with their roles. */
        get: operations["list_members"];
    };
    "/api/v1/orgs/{orgId}/members/{userId}": {
        /** Remove a member from an organization. */
        delete: operations["remove_member"];
        /** Change a member's role. */
        patch: operations["set_member_role"];
    };
    "/api/v1/orgs/{orgId}/notifications": {
        /** Get how you are told of comments that mention you and of replies to you. */
        get: operations["get_notifications"];
        /** Choose how you are told of comments that mention you and of replies to you. */
        patch: operations["set_notifications"];
    };
    "/api/v1/orgs/{orgId}/retention": {
        /** Get how long deleted things and history are kept. */
        get: operations["get_retention"];
    };
    "/api/v1/orgs/{orgId}/trash": {
        /** List what was deleted in all bases, and deleted bases, latest first. */
        get: operations["list_org_trash"];
    };
    "/api/v1/orgs/{orgId}/trash/purge": {
        /** Delete bases in the trash for good, at once. */
        post: operations["purge_bases"];
    };
    "/api/v1/orgs/{orgId}/trash/restore": {
        /** Restore deleted bases with their tables and records. */
        post: operations["restore_bases"];
    };
    "/api/v1/orgs/{orgId}/workspaces": {
        /** List the workspaces of an organization. */
        get: operations["list_workspaces"];
    };
    "/api/v1/records/{recordId}": {
        /** Get one record with all its fields. */
        get: operations["get_record"];
        /** Delete one record. */
        delete: operations["delete_record"];
        /** Update one record. */
        patch: operations["update_record"];
    };
    "/api/v1/records/{recordId}/attachments/{attachmentId}/text": {
        /** Read the text of a file in a record, or a small copy of an image. */
        get: operations["read_attachment"];
    };
    "/api/v1/records/{recordId}/comments": {
        /** List the comments on a record, the latest thread first. */
        get: operations["list_comments"];
        /** Comment on a record, or reply to a comment. */
        post: operations["create_comment"];
    };
    "/api/v1/records/{recordId}/history": {
        /** List the changes of one record, even a deleted one, newest first. */
        get: operations["get_record_history"];
    };
    "/api/v1/records/{recordId}/restore": {
        /** Set one record's stored fields and links to what they were at a moment or a version. */
        post: operations["restore_record_version"];
    };
    "/api/v1/tables/{tableId}": {
        /** Get one table with its fields and views. */
        get: operations["describe_table"];
        /** Delete a table with all its records, and the link fields that point to it. */
        delete: operations["delete_table"];
        /** Change a table's name or icon. */
        patch: operations["update_table"];
    };
    "/api/v1/tables/{tableId}/attachments": {
        /** Upload a file of up to 1 MB for use in records of the table. */
        post: operations["create_attachment"];
    };
    "/api/v1/tables/{tableId}/comments/count": {
        /** Count the comments on records of a table. */
        get: operations["count_comments"];
    };
    "/api/v1/tables/{tableId}/duplicate": {
        /** Begin a job that makes a copy of a table in its base. */
        post: operations["duplicate_table"];
    };
    "/api/v1/tables/{tableId}/exports": {
        /** Begin a job that writes the records of a table, a view or a filter into a file. */
        post: operations["export_table"];
    };
    "/api/v1/tables/{tableId}/fields": {
        /** List the fields of a table. */
        get: operations["list_fields"];
        /** Add a field to a table. */
        post: operations["create_field"];
    };
    "/api/v1/tables/{tableId}/formula/check": {
        /** Check a formula without saving it. */
        post: operations["check_formula"];
    };
    "/api/v1/tables/{tableId}/imports": {
        /** Begin a job that creates or upserts records from a file of any size. */
        post: operations["import_table"];
    };
    "/api/v1/tables/{tableId}/imports/uploads": {
        /** Upload a file for an import into a table. */
        post: operations["upload_table_import"];
    };
    "/api/v1/tables/{tableId}/indexes": {
        /** List the database indexes of a table. */
        get: operations["list_indexes"];
    };
    "/api/v1/tables/{tableId}/permissions": {
        /** Say who may read, create, edit and delete the records of a table, and see and write its fields. */
        get: operations["get_table_permissions"];
        /** Say who may read, create, edit and delete the records of a table, and see and write its fields. */
        patch: operations["set_table_permissions"];
    };
    "/api/v1/tables/{tableId}/records": {
        /** Filter, sort and page the records of a table. */
        get: operations["query_records"];
        /** Create up to 100 records, or upsert them. */
        post: operations["create_records"];
        /** Delete up to 100 records by their ids. */
        delete: operations["delete_records"];
        /** Update up to 100 records by their ids. */
        patch: operations["update_records"];
    };
    "/api/v1/tables/{tableId}/records/aggregate": {
        /** Count, sum and average records, also by group. */
        get: operations["aggregate_records"];
    };
    "/api/v1/tables/{tableId}/records/critical-path": {
        /** Find the records whose delay would delay the last one. */
        get: operations["get_critical_path"];
    };
    "/api/v1/tables/{tableId}/records/export": {
        /** Stream the records of a table, or of a view or a filter, as CSV. */
        get: operations["stream_records"];
        /** Export the records of a table, a view or a filter as CSV. */
        post: operations["export_records"];
    };
    "/api/v1/tables/{tableId}/records/export/address": {
        /** Get an address from which all records of a table, a view or a filter can be fetched as one CSV file. */
        post: operations["create_download"];
    };
    "/api/v1/tables/{tableId}/records/import": {
        /** Create or upsert records from CSV, up to 20,000 rows a call. */
        post: operations["import_records"];
    };
    "/api/v1/tables/{tableId}/records/merge": {
        /** Merge up to 20 duplicate records of a table into one, with their links and comments. */
        post: operations["merge_records"];
    };
    "/api/v1/tables/{tableId}/records/search": {
        /** Find the records of one table that have a text in any field, ignoring case. */
        get: operations["search_records"];
    };
    "/api/v1/tables/{tableId}/records/selected": {
        /** Delete every record that the filters and the search find, but those of except. */
        delete: operations["delete_selected_records"];
    };
    "/api/v1/tables/{tableId}/records/where": {
        /** Delete every record that the filters find, up to 10,000. */
        delete: operations["delete_records_where"];
        /** Set the same fields of every record that the filters find, up to 10,000. */
        patch: operations["update_records_where"];
    };
    "/api/v1/tables/{tableId}/uploads": {
        /** Upload a file for use in records of the table. */
        post: operations["upload_file"];
    };
    "/api/v1/tables/{tableId}/uploads/address": {
        /** Get an address to which a file for the table can be sent without a credential, once, for 15 minutes. */
        post: operations["create_upload"];
    };
    "/api/v1/tables/{tableId}/views": {
        /** List the views of a table with their configuration. */
        get: operations["list_views"];
        /** Create a view of a table. */
        post: operations["create_view"];
    };
    "/api/v1/templates": {
        /** List templates of bases, such as a project tracker, with a few records as examples. */
        get: operations["list_templates"];
    };
    "/api/v1/uploads": {
        /** Get the limits of file uploads. */
        get: operations["get_upload_limits"];
    };
    "/api/v1/uploads/{token}": {
        /** Send a file to an upload address. */
        put: operations["send_upload"];
    };
    "/api/v1/views/{viewId}": {
        /** Get one view. */
        get: operations["get_view"];
        /** Delete a view, and no records. */
        delete: operations["delete_view"];
        /** Change a view's name or configuration. */
        patch: operations["update_view"];
    };
    "/api/v1/views/{viewId}/answers": {
        /** Create a record through a form, as the form asks for it. */
        post: operations["answer_form"];
    };
    "/api/v1/views/{viewId}/records/move": {
        /** Put up to 100 records next to another one in the manual order of a view. */
        post: operations["move_records"];
    };
    "/api/v1/views/{viewId}/share": {
        /** Get whether anyone can read one view without signing in. */
        get: operations["get_view_share"];
        /** Make one view readable by anyone who has its share id, with a password and an end if you like. */
        put: operations["set_view_share"];
        /** Stop sharing a view publicly. */
        delete: operations["disable_view_share"];
    };
    "/api/v1/workspaces": {
        /** Create a workspace in an organization, to group bases. */
        post: operations["create_workspace"];
    };
    "/api/v1/workspaces/{workspaceId}": {
        /** Delete an empty workspace. */
        delete: operations["delete_workspace"];
        /** Change a workspace's name, colour or icon. */
        patch: operations["update_workspace"];
    };
    "/api/v1/workspaces/{workspaceId}/access": {
        /** Say what people and groups were granted in all bases of a workspace. */
        get: operations["get_workspace_access"];
        /** Give people and groups roles in all bases of a workspace, or restrict it to those who have one. */
        patch: operations["set_workspace_access"];
    };
    "/api/v1/workspaces/{workspaceId}/airtable-imports": {
        /** Begin a job that brings a base of Airtable into a new base, or its changes into the base that an earlier import made. */
        post: operations["start_airtable_import"];
    };
    "/api/v1/workspaces/{workspaceId}/archive-imports": {
        /** Begin a job that makes a new base of a base archive, of this Rowhouse or another one, or of a template. */
        post: operations["start_archive_import"];
    };
    "/api/v1/workspaces/{workspaceId}/product-imports": {
        /** Begin a job that brings a base of NocoDB or Baserow into a new base, or its changes into the base that an earlier import made. */
        post: operations["start_product_import"];
    };
    "/api/v1/workspaces/{workspaceId}/uploads": {
        /** Upload a base archive. */
        post: operations["upload_archive"];
    };
}
export interface components {
    schemas: {
        /** @description [{fn, fieldId}], fn count, distinct, sum, avg, min, max, median, percentile (with p: 90) or percent_of_total; default the number of records */
        Aggregates: Record<string, unknown>[];
        AttachmentImage: {
            type: string;
            width: number;
            height: number;
            /** @description base64 */
            data?: string;
        };
        AttachmentText: {
            id: string;
            name: string;
            type: string;
            size: number;
            /** @description of the file, if it is not UTF-8 */
            encoding?: string;
            /** @description of a PDF; each begins with its number in brackets */
            pages?: number;
            /** @description of a file with text */
            text?: string;
            /** @description characters of the whole text */
            length?: number;
            /** @description where the text goes on; absent at the end */
            nextOffset?: number;
            /** @description the file has more text than is read of one, which is not in length */
            cut?: boolean;
            /** @description of an image */
            image?: components["schemas"]["AttachmentImage"];
            /** @description for agents: what the text is */
            note?: string;
        };
        Audience: {
            /**
             * @description those with at least this role in the base; absent: only those named
             * @enum {string}
             */
            role?: "viewer" | "commenter" | "editor" | "creator";
            groupIds?: string[];
            userIds?: string[];
        };
        AuditEvent: {
            id: string;
            time: string;
            userId: null | string;
            userName: null | string;
            credentialKind?: string;
            credentialId?: string;
            requestId?: string;
            action: string;
            subject: string;
            detail: components["schemas"]["EventDetail"];
            changeSet?: string;
        };
        Backup: {
            id: string;
            /** @description with its name of then */
            base: components["schemas"]["Named"];
            /** @description running, ok (it was restored and is what its manifest says) or failed */
            state: string;
            /** @description endpoint and bucket */
            store: string;
            /** @description name in the bucket */
            object: string;
            /** @description it was written, and not deleted by Rowhouse */
            inBucket: boolean;
            encrypted: boolean;
            bytes: number;
            /** @description of the object */
            sha256?: string;
            /** @description that were restored */
            tables: number;
            records: number;
            files: number;
            /** @description why it failed, or what differs */
            message?: string;
            /** @description who asked for it; none: it was time */
            userId?: string;
            startedAt: string;
            endedAt: null | string;
        };
        BackupList: {
            backups: components["schemas"]["Backup"][];
            nextCursor: null | string;
        };
        BackupSettings: {
            /** @description URL of the S3 API */
            endpoint: string;
            region: string;
            bucket: string;
            /** @description folder in the bucket */
            prefix: string;
            accessKey: string;
            keepDays: number;
            /** @description age public key that archives are encrypted for; empty: they are not */
            recipient: string;
            attachments: boolean;
            /** @description when the next backups begin */
            nextAt: null | string;
            changedAt: null | string;
            /** @description user id */
            changedBy?: string;
        };
        BackupsBegun: {
            /** @description bases whose last backup has not ended get none */
            backups: number;
        };
        Base: {
            id: string;
            name: string;
            /** @description of the formulas, an IANA name */
            timeZone: string;
            /** @description yours in the base: viewer, commenter, editor or creator */
            role: string;
            /** @description permissions limit what you see or do in the base */
            limited?: boolean;
            tables: components["schemas"]["Table"][];
        };
        BaseAccess: {
            /** @description a role in the organization gives none in the base */
            restricted: boolean;
            /** @description the same, by its workspace */
            workspaceRestricted: boolean;
            grants: components["schemas"]["Grant"][];
            /** @description everybody who sees the base */
            people: components["schemas"]["PersonAccess"][];
            you: components["schemas"]["PersonAccess"];
        };
        BaseList: { bases: components["schemas"]["BaseSummary"][] };
        BaseSummary: {
            id: string;
            name: string;
            workspaceId: null | string;
            orgId: null | string;
            icon?: components["schemas"]["Icon"];
        };
        BulkResult: {
            count: number;
            sample?: components["schemas"]["PlanSample"][];
            newOptions?: string[];
            planToken?: string;
            expiresAt?: string;
        };
        Change: {
            action?: string;
            after: Record<string, unknown> | null;
            before: Record<string, unknown> | null;
            changeSet: string;
            comment?: string;
            credential: string;
            cursor: string;
            /** @description of the fields named */
            fieldIds?: Record<string, unknown>;
            id?: string;
            /** @enum {string} */
            kind: "created" | "updated" | "deleted" | "linked" | "restored" | "schema" | "commented";
            /** @description by field; added and removed from the other side */
            links?: Record<string, unknown>;
            name?: string;
            /** @enum {string} */
            object?: "base" | "table" | "field" | "view";
            person: {
                id: string;
                name: string | null;
            } | null;
            record?: string;
            request: string;
            /** @description the values came back with their field or table; the version of the record stayed */
            returned?: boolean;
            table: string | null;
            thread?: string;
            time: string;
            version: number;
        };
        ChangeCredential: {
            id: string;
            kind?: string;
            name?: string;
        };
        ChangePage: {
            changes: components["schemas"]["Change"][];
            cursor: string;
            hasMore: boolean;
        };
        ChangePerson: {
            id: string;
            name: null | string;
        };
        ChangeSet: {
            id: string;
            name: null | string;
            firstTime: string;
            lastTime: string;
            person: components["schemas"]["ChangePerson"] | null;
            credential: components["schemas"]["ChangeCredential"] | null;
            tables: components["schemas"]["ChangedTable"][];
            /** @description the first 20 */
            schema: components["schemas"]["ChangedObject"][];
            schemaCount: number;
            reverts: string[];
            revertedBy: string[];
        };
        ChangeSetList: {
            changeSets: components["schemas"]["ChangeSet"][];
            nextCursor: string | null;
        };
        Changed: { id: string };
        ChangedObject: {
            /** @description base, table, field, view, column or record */
            object: string;
            id: string;
            name: string;
            /** @description created, updated, deleted, restored or purged */
            does: string;
            /** @description properties */
            changed?: string[];
        };
        ChangedOrPlanned: {
            /** @description of what was changed; empty in a plan */
            id: string;
            tables?: number;
            records?: number;
            lost?: number;
            losses?: components["schemas"]["ProblemItem"][];
            sample?: components["schemas"]["PlanSample"][];
            refusal?: string;
            planToken?: string;
            expiresAt?: string;
        };
        ChangedTable: {
            id: string;
            name: string;
            inTrash?: boolean;
            created: number;
            updated: number;
            deleted: number;
            restored: number;
            linked: number;
        };
        ColumnRead: {
            name: string;
            samples: string[];
            type: string;
            options?: string[];
            symbol?: string;
            numbers: components["schemas"]["StyleFound"];
            dates: components["schemas"]["StyleFound"];
            /** @description the table whose records the values name; of a type link with linkedTableId, if you take it */
            link?: components["schemas"]["LinkFound"];
        };
        ColumnReport: {
            name: string;
            /** @description none: it was left out */
            field?: string;
            type?: string;
        };
        Comment: {
            id: string;
            threadId: string;
            recordId: string;
            author: components["schemas"]["ChangePerson"];
            credential: string;
            text: string;
            mentions: components["schemas"]["ChangePerson"][];
            createdAt: string;
            editedAt?: string;
            deletedAt?: string;
            resolvedAt?: string;
            resolvedBy?: components["schemas"]["ChangePerson"];
        };
        CommentCount: {
            recordId: string;
            /** @description that are not resolved */
            threads: number;
            /** @description in these threads, without deleted ones */
            comments: number;
            /** @description the latest of these threads */
            threadId: string;
        };
        CommentCounts: {
            /** @description whether any record of the table has comments */
            any: boolean;
            counts: components["schemas"]["CommentCount"][];
        };
        CommentPage: {
            comments: components["schemas"]["Comment"][];
            nextCursor: null | string;
        };
        CreatedWebhook: {
            id: string;
            name: string;
            url: string;
            /** @description ids; empty: all, and the base itself */
            tables: string[];
            /** @description empty: all */
            kinds: string[];
            /** @description ids; empty: all */
            fields: string[];
            /** @description of records, before or after the change; empty: none */
            filters: components["schemas"]["Filters"];
            includeValues: boolean;
            /** @description who made it, enabled it or changed more than its name last; it ends with their right to set up webhooks */
            owner: components["schemas"]["Named"];
            createdAt: string;
            /** @description up to where changes were told or wait in a delivery */
            cursor: string;
            enabled: boolean;
            /** @description paused, gone (it answered 410), failing (for five days), owner (may no longer set up webhooks), history (it has fallen behind what is kept) or filter (it no longer fits the table) */
            disabledReason: null | string;
            failingSince: null | string;
            /** @description when a delivery that failed is tried again */
            nextAttemptAt: null | string;
            /** @description until when the former secret signs as well */
            oldSecretUntil: null | string;
            /** @description verifies messages; it is shown this once */
            secret?: string;
        };
        Dashboard: {
            id: string;
            name: string;
            /** @description without those of views that you do not see */
            tiles: components["schemas"]["Tile"][];
        };
        DashboardList: { dashboards: components["schemas"]["Dashboard"][] };
        Deleted: {
            /** @description the id of what was deleted */
            deleted: string;
        };
        DeletedOrPlanned: {
            /** @description the id of what was deleted; empty in a plan */
            deleted: string;
            tables?: number;
            records?: number;
            lost?: number;
            losses?: components["schemas"]["ProblemItem"][];
            sample?: components["schemas"]["PlanSample"][];
            refusal?: string;
            planToken?: string;
            expiresAt?: string;
        };
        DeletedOrg: {
            id: string;
            name: string;
            deletedAt: string;
            deletedBy: components["schemas"]["Named"];
            keptUntil: string;
        };
        DeletedOrgList: { orgs: components["schemas"]["DeletedOrg"][] };
        DownloadAddress: {
            method: string;
            /** @description needs no credential; whoever has it can use it */
            url: string;
            expiresAt: string;
            /** @description rows now */
            total: number;
        };
        EventDetail: Record<string, unknown>;
        Explanation: {
            /** @description in the base: none, viewer, commenter, editor or creator */
            role: string;
            table?: components["schemas"]["TableRights"];
            /** @description hidden, read or edit */
            field?: string;
            /** @description sentences that name the grants and permissions that decide */
            why: string[];
        };
        Exported: {
            csv: string;
            /** @description in csv, without the line of names */
            rows: number;
            total: number;
            hasMore: boolean;
            cursor?: string;
            /** @description cells with an apostrophe in front, which spreadsheets would run */
            guarded?: number;
        };
        Field: {
            id: string;
            /** @description the key in records */
            name: string;
            type: string;
            isPrimary: boolean;
            /** @description position among the fields, from 0 */
            order: number;
            /** @description option names of a select field */
            options?: string[];
            /** @description set on link fields */
            linkedTableId?: string;
            /** @description the service writes the values */
            readOnly?: boolean;
            /** @description you may not write it */
            locked?: boolean;
            hidden?: boolean;
            width?: number;
            config?: components["schemas"]["FieldConfig"];
            /** @description why a computed field shows errors alone */
            problem?: string;
        };
        FieldChanged: {
            id: string;
            tables?: number;
            records?: number;
            lost?: number;
            losses?: components["schemas"]["ProblemItem"][];
            sample?: components["schemas"]["PlanSample"][];
            refusal?: string;
            planToken?: string;
            expiresAt?: string;
        };
        FieldConfig: {
            description?: string;
            required?: boolean;
            unique?: boolean;
            default?: unknown;
            options?: components["schemas"]["SelectOption"][];
            precision?: number;
            symbol?: string;
            thousands?: boolean;
            negative?: string;
            max?: number;
            icon?: string;
            format?: string;
            dateFormat?: string;
            timeFormat?: string;
            timeZone?: string;
            linkedTableId?: string;
            inverseFieldId?: string;
            multiple?: boolean;
            label?: string;
            url?: string;
            formula?: string;
            resultType?: string;
            linkFieldId?: string;
            fieldId?: string;
            function?: string;
            filters?: unknown;
            sorts?: unknown;
            limit?: number;
        };
        FieldConfigIn: Record<string, unknown>;
        FieldDeleted: {
            /** @description the id of what was deleted; empty in a plan */
            deleted: string;
            tables?: number;
            records?: number;
            lost?: number;
            losses?: components["schemas"]["ProblemItem"][];
            sample?: components["schemas"]["PlanSample"][];
            refusal?: string;
            planToken?: string;
            expiresAt?: string;
            /** @description fields that compute from it and show errors until it is restored */
            broken?: components["schemas"]["FieldUse"][];
        };
        FieldIn: {
            name: string;
            type: components["schemas"]["FieldType"];
            /** @description options [name] for selects, precision, symbol, max, format, timeZone, multiple; required, unique, default, description */
            config?: components["schemas"]["FieldConfigIn"];
        };
        FieldList: { fields: components["schemas"]["Field"][] };
        FieldNamed: {
            id: string;
            name: string;
            type: string;
        };
        FieldPermission: {
            fieldId: string;
            name: string;
            /** @description null: whoever reads the table */
            read: components["schemas"]["Audience"] | null;
            /** @description null: whoever edits the records */
            edit: components["schemas"]["Audience"] | null;
            /** @description who sees the computed field reads what creators read in it */
            reveal?: boolean;
        };
        FieldRead: {
            id: string;
            /** @description the key in records */
            name: string;
            type: string;
            isPrimary: boolean;
            /** @description position among the fields, from 0 */
            order: number;
            /** @description option names of a select field */
            options?: string[];
            /** @description set on link fields */
            linkedTableId?: string;
            /** @description the service writes the values */
            readOnly?: boolean;
            /** @description you may not write it */
            locked?: boolean;
            hidden?: boolean;
            width?: number;
            config?: components["schemas"]["FieldConfig"];
            /** @description why a computed field shows errors alone */
            problem?: string;
            /** @description fields that compute from it */
            readBy?: components["schemas"]["FieldUse"][];
        };
        /** @enum {string} */
        FieldType: "text" | "long_text" | "email" | "url" | "phone" | "number" | "currency" | "percent" | "rating" | "duration" | "checkbox" | "date" | "datetime" | "single_select" | "multi_select" | "user" | "attachment" | "json" | "link" | "formula" | "lookup" | "rollup" | "count" | "button" | "auto_number" | "created_time" | "last_modified_time" | "created_by" | "last_modified_by" | "rank";
        FieldTypeCatalogue: {
            fieldTypes: components["schemas"]["FieldTypeDescription"][];
            operands: components["schemas"]["OperandDescription"][];
        };
        FieldTypeDescription: {
            type: string;
            title: string;
            description: string;
            /** @description JSON Schema of a value as it is read */
            valueSchema: unknown;
            /** @description JSON Schema of the config of a field of the type */
            configSchema: unknown;
            /** @description filter operators, in the order of menus */
            operators: components["schemas"]["OperatorDescription"][];
            /** @description functions of an aggregation */
            aggregates: string[];
            /** @description the service writes the values */
            readOnly: boolean;
            /** @description records have the values only where the field is named */
            unlisted?: boolean;
            /** @description fields are created in the application only */
            applicationOnly: boolean;
            /** @description may be the primary field */
            primary: boolean;
            /** @description config.required may be set */
            required: boolean;
            /** @description config.unique may be set */
            unique: boolean;
            /** @description config.default may be set */
            default: boolean;
            /** @description may stand in sorts */
            sortable: boolean;
            /** @description may stand in groupBy */
            groupable: boolean;
            /** @description a search sees the values */
            searchable: boolean;
            /** @description may stand in upsertOn */
            upsertKey: boolean;
            /** @description what a view can use a field for: cover, stack, start or end */
            viewRoles: string[];
            /** @description types that a field of this type can be changed to */
            convertsTo: string[];
        };
        FieldUse: {
            id: string;
            name: string;
            tableId: string;
        };
        File: {
            id: string;
            name: string;
            size: number;
            type: string;
            width?: number;
            height?: number;
            url: string;
            thumbnailUrl?: string;
        };
        /** @description conditions, all of which must hold: {fieldId, op, value}, {and: […]} or {or: […]}; fieldId is an id, a name, or of linked records a path such as Company.Country. op: eq neq contains not_contains starts_with ends_with in not_in gt gte lt lte between is_within has_any has_all has_none is_exactly is_empty is_not_empty */
        Filters: Record<string, unknown>[];
        FormulaChecked: {
            /** @description of the values: number, text, boolean, date, datetime, or list of one of these; absent if there are problems */
            type?: string;
            /** @description values depend on the time, or on names that stand elsewhere, and are computed whenever they are read */
            volatile?: boolean;
            /** @description mistakes in the order of their places; lines and columns begin at 1 and count characters */
            problems: components["schemas"]["FormulaProblem"][];
            /** @description of the first five records of the table */
            values: components["schemas"]["FormulaValue"][];
        };
        FormulaProblem: {
            line: number;
            column: number;
            length: number;
            message: string;
        };
        FormulaValue: {
            recordId: string;
            /** @description as in the fields of the record */
            value: unknown;
        };
        Grant: {
            userId?: string;
            groupId?: string;
            /** @description of the person or group */
            name: string;
            /** @description viewer, commenter, editor or creator */
            role: string;
            /** @description base or workspace: where it was granted */
            from: string;
        };
        Group: {
            id: string;
            name: string;
            /** @description user ids */
            members: string[];
        };
        GroupList: { groups: components["schemas"]["Group"][] };
        /** @description [{by, dir}], by a result or a groupBy; default the keys */
        GroupSort: Record<string, unknown>[];
        /** @description [{by, op, value}], by a result such as sum(Price), op eq, neq, gt, gte, lt, lte or between */
        Having: Record<string, unknown>[];
        Icon: {
            /** @enum {string} */
            kind: "emoji" | "lucide" | "image";
            /** @description the emoji, the name of the lucide icon, or the https address of the image */
            value: string;
            /** @description a colour name, or # and six hexadecimal digits */
            color?: string;
        };
        ImportRefusal: {
            line: number;
            column?: number;
            field?: string;
            message: string;
            cells?: string[];
        };
        Imported: {
            created: number;
            updated: number;
            refused: number;
            refusals?: components["schemas"]["ImportRefusal"][];
            refusedLines?: string;
            moreRefusals?: number;
            newOptions?: string[];
            ignoredFields?: string[];
            readings?: string[];
            skippedRows?: number;
            rows?: number;
            nextOffset?: number;
            planToken?: string;
            expiresAt?: string;
            /** @description CSV of all refused rows, for a day, if refusals leaves some out */
            refusedFile?: components["schemas"]["File"];
        };
        Inbox: {
            items: components["schemas"]["Notice"][];
            /** @description at most 100, of all pages */
            unread: number;
            nextCursor: null | string;
        };
        Index: {
            /** @enum {string} */
            kind: "primary" | "unique" | "lookup" | "search";
            /** @description the query pattern or constraint it serves, with fields by id */
            reason: string;
            /** @description false while it is being built */
            ready: boolean;
            bytes: number;
            /** @description when it was built, for lookup and search */
            since?: string;
            /** @description when a query last needed it, to the hour */
            usedAt?: string;
        };
        IndexList: { indexes: components["schemas"]["Index"][] };
        Invitation: {
            id: string;
            email: string;
            /** @description owner, admin, editor, viewer or guest */
            role: string;
            createdAt: string;
            expiresAt: string;
        };
        InvitationList: { invitations: components["schemas"]["Invitation"][] };
        Job: {
            id: string;
            /** @description export_table, export_base, import_table, import_base, import_airtable, import_product, import_archive, duplicate_base or duplicate_table */
            kind: string;
            /** @description queued, running, done, failed or cancelled */
            state: string;
            /** @description none while the base of an archive is not made */
            baseId?: string;
            tableId?: string;
            /** @description whose job it is */
            userId: string;
            /** @description rows */
            done: number;
            /** @description rows; null while it is not known */
            total: null | number;
            createdAt: string;
            startedAt: null | string;
            endedAt: null | string;
            /** @description what came, what did not, and why */
            report?: components["schemas"]["Report"];
            /** @description the result, for a day */
            file?: components["schemas"]["JobFile"];
            /** @description of an import from Airtable */
            airtableBaseId?: string;
            /** @description of an import from NocoDB or Baserow, for another one */
            from?: components["schemas"]["JobProduct"];
            /** @description the change set of an import, for revert_changes */
            changes?: string;
        };
        JobFile: {
            name: string;
            size: number;
            type: string;
            /** @description needs no credential; whoever has it can fetch the file */
            url: string;
        };
        JobList: {
            jobs: components["schemas"]["Job"][];
            nextCursor: null | string;
        };
        JobProduct: {
            product: string;
            address: string;
            productBaseId: string;
        };
        LeftOut: {
            table: string;
            field?: string;
            /** @description cells, files or comments; 1 for a field or a view */
            count: number;
            why: string;
            formula?: string;
        };
        LinkFound: {
            tableId: string;
            table: string;
            /** @description different ones of the column */
            values: number;
            /** @description of them, those that name one record of the table each */
            matched: number;
            /** @description the first of the others */
            unmatched?: string[];
        };
        /** @enum {string} */
        LinkedType: "lookup" | "rollup" | "count";
        MarkedRead: { orgId: string };
        Me: {
            /** @description the user's id */
            id: string;
            /**
             * @description the kind of credential
             * @enum {string}
             */
            kind: "api_key" | "oauth" | "session";
            /** @description the scopes granted to the credential */
            scopes: string[];
            orgs: components["schemas"]["OrgRole"][];
            /** @description the bases that the credential can access */
            bases: components["schemas"]["BaseSummary"][];
        };
        Member: {
            userId: string;
            name: string;
            email: string;
            /** @description owner, admin, editor, viewer or guest */
            role: string;
            /** @description when the person became a member */
            since: string;
        };
        MemberList: { members: components["schemas"]["Member"][] };
        Named: {
            id: string;
            name: string;
        };
        Notice: {
            id: string;
            /** @description mention or reply, of a comment, or backup: one has failed */
            reason: string;
            createdAt: string;
            readAt: null | string;
            orgId: string;
            base: components["schemas"]["Named"];
            table?: components["schemas"]["Named"];
            record?: components["schemas"]["Named"];
            comment?: components["schemas"]["Comment"];
            /** @description that has failed, for admins */
            backup?: components["schemas"]["Backup"];
        };
        Notifications: {
            /** @description in the application */
            inbox: boolean;
            mail: boolean;
        };
        OperandDescription: {
            name: string;
            description: string;
            /** @description JSON Schema of the value; absent where there is none */
            schema?: unknown;
        };
        OperatorDescription: {
            op: string;
            /** @description the name of an operand */
            operand: string;
        };
        Org: {
            id: string;
            name: string;
            icon?: components["schemas"]["Icon"];
            /** @description your role: owner, admin, editor, viewer or guest */
            role: string;
        };
        OrgList: { orgs: components["schemas"]["Org"][] };
        OrgRole: {
            orgId: string;
            /** @description owner, admin, editor, viewer or guest */
            role: string;
        };
        PersonAccess: {
            userId: string;
            name: string;
            email: string;
            /** @description viewer, commenter, editor or creator */
            role: string;
        };
        PlanSample: {
            id: string;
            /** @description the primary value */
            title?: string;
            before: { [key: string]: unknown };
            after?: { [key: string]: unknown };
        };
        Presence: {
            /** @description seconds after which it is forgotten; 0 if presence is not told now */
            expiresIn: number;
        };
        ProblemItem: {
            path: string;
            message: string;
        };
        Purged: { purged: string[] };
        Reading: {
            /** @description csv, xlsx, json, parquet, vcard, icalendar, trello or notion; encoding and delimiter are of csv */
            form: string;
            /** @description of a spreadsheet, or table of an export of Notion */
            sheet?: string;
            /** @description all with rows */
            sheets?: string[];
            encoding: string;
            delimiter: string;
            /** @description whether a row names the columns */
            hasHeader: boolean;
            /** @description with values, before the header */
            skippedRows: number;
            rows: number;
            /** @description characters that the encoding does not have */
            unreadable: number;
            columns: components["schemas"]["ColumnRead"][];
            /** @description as 3: Option, by the column from 1 */
            newOptions?: string[];
        };
        Record: {
            createdTime?: string;
            fields: Record<string, unknown>;
            id: string;
            version?: number;
        };
        RecordChange: {
            changeSet: string;
            changes: {
                field: {
                    id: string;
                    name: string;
                };
                from: unknown;
                to: unknown;
            }[];
            credential: string;
            /** @enum {string} */
            kind: "created" | "updated" | "deleted" | "linked" | "restored";
            person: {
                id: string;
                name: string | null;
            } | null;
            request: string;
            state?: Record<string, unknown> | null;
            time: string;
            version: number;
        };
        RecordGroup: {
            key: Record<string, unknown>;
            results: Record<string, unknown>;
        };
        RecordGroups: {
            groups: components["schemas"]["RecordGroup"][];
            hasMore: boolean;
        };
        RecordHistory: {
            complete: boolean;
            entries: components["schemas"]["RecordChange"][];
            nextCursor: string | null;
        };
        RecordPage: {
            /** @description of the records, by the view of colorsOf; null is none */
            colors?: (string | null)[];
            cursor?: string;
            hasMore: boolean;
            limit: number;
            offset: number;
            /** @description of the view's filter, which lets nothing through until it is repaired */
            problems?: components["schemas"]["ViewProblem"][];
            records: components["schemas"]["Record"][];
            total: number;
        };
        RecordRights: {
            create: boolean;
            edit: boolean;
            delete: boolean;
        };
        RecordsDeleted: { deleted: string[] };
        RecordsDeletedOrPlanned: {
            /** @description empty in a plan */
            deleted: string[];
            /** @description how many a plan would delete */
            count?: number;
            sample?: components["schemas"]["PlanSample"][];
            planToken?: string;
            expiresAt?: string;
        };
        RecordsMerged: {
            /** @description comments that moved to the kept record */
            comments: number;
            dryRun?: boolean;
            /** @description links that passed to the kept record */
            links: number;
            /** @description ids of the records that went to the trash */
            merged: string[];
            record: components["schemas"]["Record"];
        };
        RecordsMoved: {
            /** @description ids, in their order */
            moved: string[];
        };
        RecordsWritten: {
            created?: string[];
            records: components["schemas"]["Record"][];
            updated?: string[];
        };
        Report: {
            tables?: components["schemas"]["TableReport"][];
            notes?: string[];
            /** @description the first 1,000 */
            leftOut?: components["schemas"]["LeftOut"][];
            moreLeftOut?: number;
            /** @description the first 200 */
            notMembers?: string[];
            /** @description how a file is read, of a dry run */
            reading?: components["schemas"]["Reading"];
            planToken?: string;
            expiresAt?: string;
            problem?: string;
        };
        RestoredItem: {
            id: string;
            kind: string;
            /** @description changed if it was taken */
            name: string;
            /** @description what did not come back, and why */
            notes?: string[];
        };
        RestoredItems: {
            dryRun?: boolean;
            restored: components["schemas"]["RestoredItem"][];
        };
        Retention: {
            /** @description how long deleted things can be restored */
            trashDays: number;
            /** @description how long history is kept at least */
            historyDays: number;
            /** @description what the history takes on disk */
            historyBytes: number;
            /** @description from when the history reaches */
            historySince: null | string;
        };
        RevertAuthor: {
            userId?: string;
            credential?: string;
            changeSet: string;
            at: string;
        };
        RevertConflict: {
            tableId?: string;
            /** @description none: a table, field or view */
            recordId?: string;
            /** @description none: the whole record */
            fieldId?: string;
            /** @description table, field, view or base */
            objectId?: string;
            /** @description of the object */
            name?: string;
            /** @description none: the whole object */
            property?: string;
            reason: string;
            /** @description that the revert would write */
            value?: unknown;
            /** @description that is there now */
            present?: unknown;
            /** @description record that has the unique value */
            holderId?: string;
            by?: components["schemas"]["RevertAuthor"];
        };
        RevertLeftOut: {
            tableId: string;
            /** @description its number in the log */
            field: string;
            records: number;
        };
        RevertObject: {
            /** @description base, table, field or view */
            object: string;
            id: string;
            name: string;
            /** @description restored, removed or updated */
            does: string;
        };
        RevertPlan: {
            dryRun?: boolean;
            /** @description what is reverted, the first 100 */
            changeSets: string[];
            /** @description that change */
            records: number;
            tables: components["schemas"]["RevertTable"][];
            /** @description tables, fields and views that change */
            schema?: components["schemas"]["RevertObject"][];
            conflictCount: number;
            /** @description the first 100 */
            conflicts: components["schemas"]["RevertConflict"][];
            /** @description fields that are gone */
            leftOut?: components["schemas"]["RevertLeftOut"][];
            /** @description what does not come back, and why; the first 100 */
            notes?: string[];
        };
        RevertTable: {
            tableId: string;
            updated: number;
            /** @description that the change sets created */
            deleted: number;
            /** @description that they deleted */
            restored: number;
        };
        RowRule: {
            /**
             * @description those with at least this role in the base; absent: only those named
             * @enum {string}
             */
            role?: "viewer" | "commenter" | "editor" | "creator";
            groupIds?: string[];
            userIds?: string[];
            /** @description as in a list of records; a value may be {"me": true}, {"my": "email"} or {"my": "groups"} */
            filter: unknown;
            edit?: boolean;
            delete?: boolean;
            /** @description said to whom a change is refused */
            memo?: string;
        };
        SQLResult: {
            columns: {
                name: string;
                type: string;
            }[];
            /** @description PostgreSQL's estimate */
            cost: number;
            milliseconds: number;
            rows: unknown[][];
            /** @description there are more rows */
            truncated: boolean;
        };
        Schedule: {
            /** @description last day of the last record; absent without dependencies */
            end?: string;
            /** @description how many have a start and depend on each other */
            records: number;
            /** @description those with at most maxSlack, by their start */
            tasks: components["schemas"]["Task"][];
        };
        SearchHit: {
            id: string;
            tableId: string;
            table: string;
            /** @description the primary value */
            title: string;
            /** @description the first other field in which a word was found */
            snippet?: string;
            /** @description found with one letter different, as nothing has the words given */
            typo?: boolean;
            /** @description how many of the words it lacks, as nothing has all of them */
            missing?: number;
            /** @description of another time than asked for, as nothing of that time was found */
            undated?: boolean;
            /** @description higher is better */
            score: number;
        };
        SearchHits: {
            results: components["schemas"]["SearchHit"][];
            /** @description of the base */
            tables: number;
            /** @description how many of them were searched; fewer if time ran out */
            searched: number;
            hasMore: boolean;
            /** @description how a time in q was understood: the first and the last day */
            period?: string;
        };
        SelectOption: {
            name: string;
            color?: string;
        };
        SelectedRecordsDeleted: {
            count: number;
            /** @description there are others, which another request deletes */
            more: boolean;
        };
        SentAgain: { id: string };
        SetUpBackups: {
            /** @description null: backups are off */
            settings: components["schemas"]["BackupSettings"] | null;
        };
        Share: {
            /** @description the secret part of the public URL, or null if sharing is disabled */
            publicShareId: null | string;
        };
        /** @description [{fieldId, dir}], dir asc or desc; empty values last */
        Sorts: Record<string, unknown>[];
        StyleFound: {
            found: string;
            style?: string;
            examples?: string[];
        };
        Table: {
            id: string;
            name: string;
            icon?: components["schemas"]["Icon"];
            /** @description set if the table has permissions of its own */
            rights?: components["schemas"]["RecordRights"];
            fields: components["schemas"]["Field"][];
            views: components["schemas"]["View"][];
        };
        TableList: { tables: components["schemas"]["TableSummary"][] };
        TableNamed: {
            id: string;
            name: string;
            /** @description in their order */
            fields: components["schemas"]["Named"][];
        };
        TablePermissions: {
            /** @description null: viewers and above */
            read: components["schemas"]["Audience"] | null;
            /** @description null: editors and above */
            create: components["schemas"]["Audience"] | null;
            /** @description null: editors and above */
            edit: components["schemas"]["Audience"] | null;
            /** @description null: editors and above */
            delete: components["schemas"]["Audience"] | null;
            /** @description those with permissions of their own */
            fields: components["schemas"]["FieldPermission"][];
            rules: components["schemas"]["RowRule"][];
        };
        TableReport: {
            id?: string;
            name: string;
            /** @description that an export wrote, or that the file has */
            rows: number;
            created?: number;
            /** @description not for links alone */
            updated?: number;
            /** @description rows */
            refused?: number;
            /** @description cells that were left empty because they do not fit */
            emptied?: number;
            /** @description cells that a spreadsheet would run as a formula; they are text */
            guarded?: number;
            /** @description records that are as the import before brought them */
            unchanged?: number;
            links?: number;
            files?: number;
            comments?: number;
            fields?: number;
            /** @description fields that compute */
            formulas?: number;
            views?: number;
            gone?: number;
            /** @description ids; the first 1,000 */
            goneRecords?: string[];
            /** @description of the table's file in an archive */
            sha256?: string;
            /** @description the records that came of an archive are as its manifest says */
            matches?: boolean;
            /** @description the first 1,000 */
            refusals?: components["schemas"]["ImportRefusal"][];
            moreRefusals?: number;
            columns?: components["schemas"]["ColumnReport"][];
        };
        TableRights: {
            read: boolean;
            create: boolean;
            edit: boolean;
            delete: boolean;
        };
        TableSummary: {
            id: string;
            name: string;
            icon?: components["schemas"]["Icon"];
        };
        Task: {
            id: string;
            /** @description value of the primary field */
            name: string;
            /** @description day */
            start: string;
            /** @description last day */
            end: string;
            /** @description working days, Monday to Friday, by which it may end later without a later end of all; negative if one that depends on it begins too early */
            slack: number;
        };
        Template: {
            /** @description for start_archive_import */
            id: string;
            name: string;
            description: string;
            icon: components["schemas"]["Icon"] | null;
            /** @description their names */
            tables: string[];
        };
        TemplateList: { templates: components["schemas"]["Template"][] };
        Tile: {
            /** @description of a view of the base; a chart is drawn */
            viewId?: string;
            /** @description instead of a view */
            text?: string;
            /** @description the left edge, from 0 to 11 */
            column: number;
            /** @description the upper edge, from 0 */
            row: number;
            /** @description in columns, 1 to 12 */
            width: number;
            /** @description in rows, 1 to 20 */
            height: number;
        };
        TrashItem: {
            id: string;
            /** @description column: the former column of a field whose type was changed */
            kind: string;
            /** @description of a record its primary value */
            name: string;
            base?: components["schemas"]["Named"];
            table?: components["schemas"]["Named"];
            deletedAt: string;
            deletedBy?: components["schemas"]["Named"];
            keptUntil: string;
        };
        TrashPage: {
            items: components["schemas"]["TrashItem"][];
            nextCursor: null | string;
        };
        UploadAddress: {
            /** @description of the file, once it was sent */
            id: string;
            method: string;
            /** @description needs no credential; whoever has it can use it */
            url: string;
            expiresAt: string;
            maxBytes: number;
        };
        ValueChange: {
            fieldId: string;
            /** @description its name */
            field: string;
            /** @description what is there now */
            from?: unknown;
            to?: unknown;
        };
        /** @description values by field name */
        Values: Record<string, unknown>;
        VersionPlan: {
            recordId: string;
            /** @description of the record now */
            version: number;
            dryRun?: boolean;
            /** @description it was deleted, and comes back */
            restored?: boolean;
            changes: components["schemas"]["ValueChange"][];
            /** @description what does not come back, and why */
            notes?: string[];
        };
        View: {
            id: string;
            name: string;
            type: string;
            config: { [key: string]: unknown };
            /** @description collaborative, personal or locked */
            access?: string;
            /** @description user id */
            createdBy?: string;
            /** @description what in config no longer matches the fields; if filters do not, the view shows nothing */
            problems?: components["schemas"]["ProblemItem"][];
        };
        ViewList: { views: components["schemas"]["View"][] };
        ViewProblem: {
            message?: string;
            path?: string;
        };
        ViewShare: {
            /** @description the secret part of the public URL, or null if the view is not shared */
            publicShareId: null | string;
            hasPassword: boolean;
            /** @description when the share ends, or null */
            expiresTime: null | string;
            /** @description whether other sites may show the page in a frame */
            embed: boolean;
            /** @description how many answers a form has had */
            answers: number;
            /** @description how often the page was opened since the share has its id */
            visits: number;
            /** @description whether readers change and add records */
            edit: boolean;
        };
        Webhook: {
            id: string;
            name: string;
            url: string;
            /** @description ids; empty: all, and the base itself */
            tables: string[];
            /** @description empty: all */
            kinds: string[];
            /** @description ids; empty: all */
            fields: string[];
            /** @description of records, before or after the change; empty: none */
            filters: components["schemas"]["Filters"];
            includeValues: boolean;
            /** @description who made it, enabled it or changed more than its name last; it ends with their right to set up webhooks */
            owner: components["schemas"]["Named"];
            createdAt: string;
            /** @description up to where changes were told or wait in a delivery */
            cursor: string;
            enabled: boolean;
            /** @description paused, gone (it answered 410), failing (for five days), owner (may no longer set up webhooks), history (it has fallen behind what is kept) or filter (it no longer fits the table) */
            disabledReason: null | string;
            failingSince: null | string;
            /** @description when a delivery that failed is tried again */
            nextAttemptAt: null | string;
            /** @description until when the former secret signs as well */
            oldSecretUntil: null | string;
        };
        WebhookDelivery: {
            /** @description webhook-id of the message */
            id: string;
            /** @description pending, delivered or failed */
            state: string;
            changes: number;
            /** @description it is about to be sent again */
            sendAgain: boolean;
            attempts: number;
            createdAt: string;
            attemptedAt: null | string;
            nextAttemptAt: null | string;
            /** @description of the last answer */
            status: null | number;
            /** @description the beginning of the last answer */
            answer: null | string;
            /** @description why there was no answer */
            failure: null | string;
            /** @description that the last attempt took */
            milliseconds: null | number;
        };
        WebhookDeliveryPage: {
            deliveries: components["schemas"]["WebhookDelivery"][];
            nextCursor: null | string;
        };
        WebhookList: { webhooks: components["schemas"]["Webhook"][] };
        WebhookSecret: {
            /** @description it is shown this once */
            secret?: string;
            /** @description until when messages are signed with the former secret as well */
            oldSecretUntil: string;
        };
        Workspace: {
            id: string;
            name: string;
            color: string;
            icon?: components["schemas"]["Icon"];
        };
        WorkspaceAccess: {
            restricted: boolean;
            grants: components["schemas"]["Grant"][];
        };
        WorkspaceList: { workspaces: components["schemas"]["Workspace"][] };
        Written: {
            /** @description of the write, as in list_change_sets; absent where nothing was written */
            changeSet?: string;
        };
    };
}
export interface operations {
    list_bases: {
        parameters: {};
        responses: { 200: { content: { "application/json": components["schemas"]["BaseList"] } } };
    };
    create_base: {
        parameters: {};
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    /** @description the workspace to create it in */
                    workspaceId?: string;
                    /** @description create it in this organization's default workspace; needed only if you belong to several */
                    orgId?: string;
                };
            };
        };
        responses: {
            200: { content: { "application/json": components["schemas"]["Named"] & components["schemas"]["Written"] } };
        };
    };
    describe_base: {
        parameters: {
            query?: {
                /** @description names: what tables, fields and views are called, with types and without ids; default full */
                detail?: "names" | "full";
                /** @description only these tables */
                tableIds?: string[];
            };
            path: { baseId: string };
        };
        responses: { 200: { content: { "application/json": components["schemas"]["Base"] } } };
    };
    delete_base: {
        parameters: {
            query?: {
                /** @description planToken of a plan with the same arguments: do exactly that, or say what has moved */
                apply?: string;
                /** @description say what would happen, and change nothing */
                plan?: boolean;
            };
            path: { baseId: string };
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description say what would happen, and change nothing */
                    plan?: boolean;
                    /** @description planToken of a plan with the same arguments: do exactly that, or say what has moved */
                    apply?: string;
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["DeletedOrPlanned"] & components["schemas"]["Written"];
                };
            };
        };
    };
    update_base: {
        parameters: { path: { baseId: string } };
        requestBody?: {
            content: {
                "application/json": {
                    name?: string;
                    icon?: components["schemas"]["Icon"];
                    /** @description move the base to this workspace */
                    workspaceId?: string;
                    timeZone?: string;
                };
            };
        };
        responses: {
            200: {
                content: { "application/json": components["schemas"]["Changed"] & components["schemas"]["Written"] };
            };
        };
    };
    get_base_access: {
        parameters: { path: { baseId: string } };
        responses: { 200: { content: { "application/json": components["schemas"]["BaseAccess"] } } };
    };
    set_base_access: {
        parameters: { path: { baseId: string } };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description true: only what is granted counts; false: roles in the organization too */
                    restricted?: boolean;
                    /** @description each of one person or group; others stay */
                    grants?: {
                        userId?: string;
                        groupId?: string;
                        /**
                         * @description none takes the grant away
                         * @enum {string}
                         */
                        role: "none" | "viewer" | "commenter" | "editor" | "creator";
                    }[];
                    /** @description say what would happen, and change nothing */
                    plan?: boolean;
                    /** @description planToken of a plan with the same arguments: do exactly that, or say what has moved */
                    apply?: string;
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ChangedOrPlanned"] & components["schemas"]["Written"];
                };
            };
        };
    };
    explain_access: {
        parameters: { path: { baseId: string } };
        requestBody: {
            content: {
                "application/json": {
                    userId: string;
                    tableId?: string;
                    /** @description needs tableId */
                    fieldId?: string;
                    /** @description of the table: the rights are for this record */
                    recordId?: string;
                };
            };
        };
        responses: { 200: { content: { "application/json": components["schemas"]["Explanation"] } } };
    };
    list_change_sets: {
        parameters: {
            query?: {
                credential?: string;
                cursor?: string;
                /** @description full: with ids and whole values; default short */
                detail?: "short" | "full";
                limit?: number;
                person?: string;
                since?: string;
                table?: string;
                /** @description RFC 3339 */
                until?: string;
            };
            path: { baseId: string };
        };
        responses: { 200: { content: { "application/json": components["schemas"]["ChangeSetList"] } } };
    };
    list_changes: {
        parameters: {
            query?: {
                /** @description or earliest */
                cursor?: string;
                kinds?: string[];
                limit?: number;
                tables?: string[];
                /** @description seconds */
                wait?: number;
            };
            path: { baseId: string };
        };
        responses: { 200: { content: { "application/json": components["schemas"]["ChangePage"] } } };
    };
    revert_changes: {
        parameters: { path: { baseId: string } };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description ids, or times of changes */
                    changeSets?: string[];
                    /** @description id; needs since */
                    credential?: string;
                    /** @description RFC 3339 */
                    since?: string;
                    /** @description answer the plan alone */
                    dryRun?: boolean;
                    /**
                     * @description default fail
                     * @enum {string}
                     */
                    onConflict?: "fail" | "skip" | "overwrite";
                };
            };
        };
        responses: {
            200: {
                content: { "application/json": components["schemas"]["RevertPlan"] & components["schemas"]["Written"] };
            };
        };
    };
    list_dashboards: {
        parameters: { path: { baseId: string } };
        responses: { 200: { content: { "application/json": components["schemas"]["DashboardList"] } } };
    };
    create_dashboard: {
        parameters: { path: { baseId: string } };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    tiles?: components["schemas"]["Tile"][];
                };
            };
        };
        responses: {
            200: { content: { "application/json": components["schemas"]["Named"] & components["schemas"]["Written"] } };
        };
    };
    get_dashboard: {
        parameters: {
            path: {
                baseId: string;
                dashboardId: string;
            };
        };
        responses: { 200: { content: { "application/json": components["schemas"]["Dashboard"] } } };
    };
    delete_dashboard: {
        parameters: {
            path: {
                baseId: string;
                dashboardId: string;
            };
        };
        responses: {
            200: {
                content: { "application/json": components["schemas"]["Deleted"] & components["schemas"]["Written"] };
            };
        };
    };
    update_dashboard: {
        parameters: {
            path: {
                baseId: string;
                dashboardId: string;
            };
        };
        requestBody?: {
            content: {
                "application/json": {
                    name?: string;
                    tiles?: components["schemas"]["Tile"][];
                };
            };
        };
        responses: {
            200: {
                content: { "application/json": components["schemas"]["Changed"] & components["schemas"]["Written"] };
            };
        };
    };
    duplicate_base: {
        parameters: { path: { baseId: string } };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description of the copy; default the name and copy */
                    name?: string;
                    /** @description default true; false: the structure alone */
                    records?: boolean;
                    /** @description of the copy; default that of the base */
                    workspaceId?: string;
                };
            };
        };
        responses: {
            200: { content: { "application/json": components["schemas"]["Job"] & components["schemas"]["Written"] } };
        };
    };
    export_base: {
        parameters: { path: { baseId: string } };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    format: "xlsx" | "archive";
                };
            };
        };
        responses: {
            200: { content: { "application/json": components["schemas"]["Job"] & components["schemas"]["Written"] } };
        };
    };
    import_base: {
        parameters: { path: { baseId: string } };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description id of an upload of yours for the table or the base */
                    file?: string;
                    /** @description base64, instead of file */
                    content?: string;
                    /** @description of a spreadsheet, or table of an export of Notion; default the first with rows */
                    sheet?: string;
                    /** @description as utf-8 or windows-1252 */
                    encoding?: string;
                    /** @enum {string} */
                    delimiter?: "comma" | "semicolon" | "tab" | "pipe";
                    /** @description whether a row names the columns */
                    header?: boolean;
                    /** @description language of the person, as pl */
                    locale?: string;
                    /** @description only report how the file is read and what would happen */
                    dryRun?: boolean;
                    /** @description planToken of the report of a dry run with the same arguments and file: do exactly that, or say what has changed */
                    apply?: string;
                    /** @description of the table; default that of the sheet that was asked for, or of the file */
                    name?: string;
                    /** @description by position */
                    columns?: {
                        /** @description of the field; default the column's */
                        name?: string;
                        /** @description default the proposed one */
                        type?: string;
                        config?: unknown;
                        skip?: boolean;
                        /**
                         * @description sign, where the columns leave it open
                         * @enum {string}
                         */
                        decimal?: "point" | "comma";
                        /**
                         * @description where the columns leave it open
                         * @enum {string}
                         */
                        dateOrder?: "DMY" | "MDY";
                    }[];
                    /**
                     * @description a value that does not fit: leave out its row, or its cell, or make its column text; default refuse
                     * @enum {string}
                     */
                    onBad?: "refuse" | "empty" | "text";
                };
            };
        };
        responses: {
            200: { content: { "application/json": components["schemas"]["Job"] & components["schemas"]["Written"] } };
        };
    };
    watch_base: {
        parameters: {
            query?: {
                /** @description where to begin; the header Last-Event-ID goes before it, and without both it is now */
                cursor?: string;
            };
            path: { baseId: string };
        };
        responses: { 200: { content: { "text/event-stream": string } } };
    };
    set_presence: {
        parameters: { path: { baseId: string } };
        requestBody: {
            content: {
                "application/json": {
                    /** @description your name for the page, such as a UUID */
                    page: string;
                    /** @description id */
                    table?: string;
                    /** @description id; needs table */
                    record?: string;
                    /** @description id; needs table */
                    field?: string;
                    left?: boolean;
                };
            };
        };
        responses: {
            200: {
                content: { "application/json": components["schemas"]["Presence"] & components["schemas"]["Written"] };
            };
        };
    };
    search_base: {
        parameters: {
            query: {
                limit?: number;
                q: string;
            };
            path: { baseId: string };
        };
        responses: { 200: { content: { "application/json": components["schemas"]["SearchHits"] } } };
    };
    get_public_share: {
        parameters: { path: { baseId: string } };
        responses: { 200: { content: { "application/json": components["schemas"]["Share"] } } };
    };
    set_public_share: {
        parameters: { path: { baseId: string } };
        requestBody?: { content: { "application/json": { regenerate?: boolean } } };
        responses: {
            200: { content: { "application/json": components["schemas"]["Share"] & components["schemas"]["Written"] } };
        };
    };
    disable_public_share: {
        parameters: { path: { baseId: string } };
        responses: {
            200: { content: { "application/json": components["schemas"]["Share"] & components["schemas"]["Written"] } };
        };
    };
    query_sql: {
        parameters: { path: { baseId: string } };
        requestBody: {
            content: {
                "application/json": {
                    /** @description one SELECT statement */
                    sql: string;
                    /**
                     * @description rows
                     * @default 1000
                     */
                    limit?: number;
                };
            };
        };
        responses: { 200: { content: { "application/json": components["schemas"]["SQLResult"] } } };
    };
    list_tables: {
        parameters: { path: { baseId: string } };
        responses: { 200: { content: { "application/json": components["schemas"]["TableList"] } } };
    };
    create_table: {
        parameters: { path: { baseId: string } };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    fields?: components["schemas"]["FieldIn"][];
                };
            };
        };
        responses: {
            200: {
                content: { "application/json": components["schemas"]["TableNamed"] & components["schemas"]["Written"] };
            };
        };
    };
    list_trash: {
        parameters: {
            query?: {
                cursor?: string;
                /** @description record, table, field, view, column, base */
                kinds?: string[];
                limit?: number;
            };
            path: { baseId: string };
        };
        responses: { 200: { content: { "application/json": components["schemas"]["TrashPage"] } } };
    };
    purge_trash: {
        parameters: { path: { baseId: string } };
        requestBody: {
            content: {
                "application/json": {
                    /** @description from list_trash; records of one table, or others */
                    items: string[];
                };
            };
        };
        responses: {
            200: {
                content: { "application/json": components["schemas"]["Purged"] & components["schemas"]["Written"] };
            };
        };
    };
    restore: {
        parameters: { path: { baseId: string } };
        requestBody: {
            content: {
                "application/json": {
                    /** @description from list_trash; records of one table, or others */
                    items: string[];
                    dryRun?: boolean;
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["RestoredItems"] & components["schemas"]["Written"];
                };
            };
        };
    };
    upload_import: {
        parameters: {
            query: { name: string };
            path: { baseId: string };
        };
        requestBody: { content: { "*/*": string } };
        responses: {
            200: { content: { "application/json": components["schemas"]["File"] & components["schemas"]["Written"] } };
        };
    };
    list_webhooks: {
        parameters: { path: { baseId: string } };
        responses: { 200: { content: { "application/json": components["schemas"]["WebhookList"] } } };
    };
    create_webhook: {
        parameters: { path: { baseId: string } };
        requestBody: {
            content: {
                "application/json": {
                    /** @description https */
                    url: string;
                    name?: string;
                    /** @description ids; default all, and the base itself */
                    tables?: string[];
                    /** @description created, updated, deleted, linked, restored, schema, commented; default all */
                    kinds?: string[];
                    /** @description ids of fields of which updates and values are told; default all */
                    fields?: string[];
                    filters?: components["schemas"]["Filters"];
                    /** @description send before and after */
                    includeValues?: boolean;
                    /** @description where to begin, earliest, or now; default now */
                    cursor?: string;
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["CreatedWebhook"] & components["schemas"]["Written"];
                };
            };
        };
    };
    get_webhook: {
        parameters: {
            path: {
                baseId: string;
                webhookId: string;
            };
        };
        responses: { 200: { content: { "application/json": components["schemas"]["Webhook"] } } };
    };
    delete_webhook: {
        parameters: {
            path: {
                baseId: string;
                webhookId: string;
            };
        };
        responses: {
            200: {
                content: { "application/json": components["schemas"]["Deleted"] & components["schemas"]["Written"] };
            };
        };
    };
    update_webhook: {
        parameters: {
            path: {
                baseId: string;
                webhookId: string;
            };
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description https */
                    url?: string;
                    name?: string;
                    /** @description empty: all, and the base itself */
                    tables?: string[];
                    /** @description empty: all */
                    kinds?: string[];
                    /** @description empty: all */
                    fields?: string[];
                    filters?: components["schemas"]["Filters"];
                    includeValues?: boolean;
                    enabled?: boolean;
                    /** @description where to go on, earliest, or now */
                    cursor?: string;
                };
            };
        };
        responses: {
            200: {
                content: { "application/json": components["schemas"]["Webhook"] & components["schemas"]["Written"] };
            };
        };
    };
    list_webhook_deliveries: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
                state?: "pending" | "delivered" | "failed";
            };
            path: {
                baseId: string;
                webhookId: string;
            };
        };
        responses: { 200: { content: { "application/json": components["schemas"]["WebhookDeliveryPage"] } } };
    };
    send_webhook_delivery: {
        parameters: {
            path: {
                baseId: string;
                webhookId: string;
                deliveryId: string;
            };
        };
        responses: {
            200: {
                content: { "application/json": components["schemas"]["SentAgain"] & components["schemas"]["Written"] };
            };
        };
    };
    rotate_webhook_secret: {
        parameters: {
            path: {
                baseId: string;
                webhookId: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["WebhookSecret"] & components["schemas"]["Written"];
                };
            };
        };
    };
    get_comment: {
        parameters: { path: { commentId: string } };
        responses: { 200: { content: { "application/json": components["schemas"]["Comment"] } } };
    };
    delete_comment: {
        parameters: { path: { commentId: string } };
        responses: {
            200: {
                content: { "application/json": components["schemas"]["Deleted"] & components["schemas"]["Written"] };
            };
        };
    };
    update_comment: {
        parameters: { path: { commentId: string } };
        requestBody: { content: { "application/json": { text: string } } };
        responses: {
            200: {
                content: { "application/json": components["schemas"]["Comment"] & components["schemas"]["Written"] };
            };
        };
    };
    resolve_comment: {
        parameters: { path: { commentId: string } };
        requestBody: { content: { "application/json": { resolved: boolean } } };
        responses: {
            200: {
                content: { "application/json": components["schemas"]["Comment"] & components["schemas"]["Written"] };
            };
        };
    };
    list_deleted_orgs: {
        parameters: {};
        responses: { 200: { content: { "application/json": components["schemas"]["DeletedOrgList"] } } };
    };
    purge_org: {
        parameters: { path: { deletedOrgId: string } };
        responses: {
            200: {
                content: { "application/json": components["schemas"]["Deleted"] & components["schemas"]["Written"] };
            };
        };
    };
    restore_org: {
        parameters: { path: { deletedOrgId: string } };
        responses: {
            200: {
                content: { "application/json": components["schemas"]["Changed"] & components["schemas"]["Written"] };
            };
        };
    };
    fetch_download: {
        parameters: { path: { token: string } };
        responses: { 200: { content: { "text/csv": string } } };
    };
    list_field_types: {
        parameters: {};
        responses: { 200: { content: { "application/json": components["schemas"]["FieldTypeCatalogue"] } } };
    };
    get_field: {
        parameters: { path: { fieldId: string } };
        responses: { 200: { content: { "application/json": components["schemas"]["FieldRead"] } } };
    };
    delete_field: {
        parameters: {
            query?: {
                /** @description planToken of a plan with the same arguments: do exactly that, or say what has moved */
                apply?: string;
                /** @description say what would happen, and change nothing */
                plan?: boolean;
            };
            path: { fieldId: string };
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description say what would happen, and change nothing */
                    plan?: boolean;
                    /** @description planToken of a plan with the same arguments: do exactly that, or say what has moved */
                    apply?: string;
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["FieldDeleted"] & components["schemas"]["Written"];
                };
            };
        };
    };
    update_field: {
        parameters: { path: { fieldId: string } };
        requestBody?: {
            content: {
                "application/json": {
                    name?: string;
                    /** @description as in create_field; values are converted */
                    type?: string;
                    /** @description keys to change; null resets a key. Give all options; {name, previousName} renames one */
                    config?: components["schemas"]["FieldConfigIn"];
                    hidden?: boolean;
                    /** @description in pixels */
                    width?: number;
                    position?: number;
                    /** @description true: becomes the primary field, of text or a formula of text */
                    isPrimary?: boolean;
                    /** @description allow losing values that do not fit; views whose filters become invalid then show nothing */
                    discard?: boolean;
                    /** @description say what would happen, and change nothing */
                    plan?: boolean;
                    /** @description planToken of a plan with the same arguments: do exactly that, or say what has moved */
                    apply?: string;
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["FieldChanged"] & components["schemas"]["Written"];
                };
            };
        };
    };
    list_inbox: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
                /** @description only what you have not read */
                unread?: boolean;
            };
        };
        responses: { 200: { content: { "application/json": components["schemas"]["Inbox"] } } };
    };
    get_job: {
        parameters: {
            query?: {
                /** @description seconds */
                wait?: number;
            };
            path: { jobId: string };
        };
        responses: { 200: { content: { "application/json": components["schemas"]["Job"] } } };
    };
    cancel_job: {
        parameters: { path: { jobId: string } };
        responses: {
            200: { content: { "application/json": components["schemas"]["Job"] & components["schemas"]["Written"] } };
        };
    };
    get_me: {
        parameters: {};
        responses: { 200: { content: { "application/json": components["schemas"]["Me"] } } };
    };
    list_orgs: {
        parameters: {};
        responses: { 200: { content: { "application/json": components["schemas"]["OrgList"] } } };
    };
    create_org: {
        parameters: {};
        requestBody: { content: { "application/json": { name: string } } };
        responses: {
            200: { content: { "application/json": components["schemas"]["Org"] & components["schemas"]["Written"] } };
        };
    };
    get_org: {
        parameters: { path: { orgId: string } };
        responses: { 200: { content: { "application/json": components["schemas"]["Org"] } } };
    };
    delete_org: {
        parameters: { path: { orgId: string } };
        responses: {
            200: {
                content: { "application/json": components["schemas"]["Deleted"] & components["schemas"]["Written"] };
            };
        };
    };
    update_org: {
        parameters: { path: { orgId: string } };
        requestBody?: {
            content: {
                "application/json": {
                    name?: string;
                    icon?: components["schemas"]["Icon"];
                };
            };
        };
        responses: {
            200: {
                content: { "application/json": components["schemas"]["Changed"] & components["schemas"]["Written"] };
            };
        };
    };
    list_audit_events: {
        parameters: {
            query?: {
                action?: string;
                cursor?: string;
                limit?: number;
                since?: string;
                subject?: string;
                /** @description RFC 3339 */
                until?: string;
                userId?: string;
            };
            path: { orgId: string };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        events: components["schemas"]["AuditEvent"][];
                        nextCursor: null | string;
                    };
                };
            };
        };
    };
    list_backups: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
            };
            path: { orgId: string };
        };
        responses: { 200: { content: { "application/json": components["schemas"]["BackupList"] } } };
    };
    start_backups: {
        parameters: { path: { orgId: string } };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description default: all bases */
                    baseId?: string;
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["BackupsBegun"] & components["schemas"]["Written"];
                };
            };
        };
    };
    get_backup_settings: {
        parameters: { path: { orgId: string } };
        responses: { 200: { content: { "application/json": components["schemas"]["SetUpBackups"] } } };
    };
    set_backup_settings: {
        parameters: { path: { orgId: string } };
        requestBody: {
            content: {
                "application/json": {
                    /** @description URL of the S3 API, such as https://s3.eu-central-1.amazonaws.com */
                    endpoint: string;
                    /** @description default: the store is asked */
                    region?: string;
                    bucket: string;
                    /** @description folder in the bucket */
                    prefix?: string;
                    accessKey: string;
                    /** @description default: the one that is stored, for the same endpoint and access key */
                    secretKey?: string;
                    /**
                     * @description after which a backup is deleted if there is a newer good one
                     * @default 30
                     */
                    keepDays?: number;
                    /** @description age public key to encrypt archives for */
                    recipient?: string;
                    /** @description put files into the archives; default true */
                    attachments?: boolean;
                    /** @description only test the destination */
                    dryRun?: boolean;
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["BackupSettings"] & components["schemas"]["Written"];
                };
            };
        };
    };
    delete_backup_settings: {
        parameters: { path: { orgId: string } };
        responses: {
            200: {
                content: { "application/json": components["schemas"]["Changed"] & components["schemas"]["Written"] };
            };
        };
    };
    list_groups: {
        parameters: { path: { orgId: string } };
        responses: { 200: { content: { "application/json": components["schemas"]["GroupList"] } } };
    };
    create_group: {
        parameters: { path: { orgId: string } };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    /** @description user ids */
                    members?: string[];
                };
            };
        };
        responses: {
            200: { content: { "application/json": components["schemas"]["Named"] & components["schemas"]["Written"] } };
        };
    };
    delete_group: {
        parameters: {
            query?: {
                /** @description planToken of a plan with the same arguments: do exactly that, or say what has moved */
                apply?: string;
                /** @description say what would happen, and change nothing */
                plan?: boolean;
            };
            path: {
                orgId: string;
                groupId: string;
            };
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description say what would happen, and change nothing */
                    plan?: boolean;
                    /** @description planToken of a plan with the same arguments: do exactly that, or say what has moved */
                    apply?: string;
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["DeletedOrPlanned"] & components["schemas"]["Written"];
                };
            };
        };
    };
    update_group: {
        parameters: {
            path: {
                orgId: string;
                groupId: string;
            };
        };
        requestBody?: {
            content: {
                "application/json": {
                    name?: string;
                    /** @description user ids */
                    members?: string[];
                    /** @description user ids */
                    add?: string[];
                    /** @description user ids */
                    remove?: string[];
                    /** @description say what would happen, and change nothing */
                    plan?: boolean;
                    /** @description planToken of a plan with the same arguments: do exactly that, or say what has moved */
                    apply?: string;
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ChangedOrPlanned"] & components["schemas"]["Written"];
                };
            };
        };
    };
    mark_inbox_read: {
        parameters: { path: { orgId: string } };
        requestBody?: {
            content: {
                "application/json": {
                    items?: string[];
                    recordId?: string;
                    all?: boolean;
                };
            };
        };
        responses: {
            200: {
                content: { "application/json": components["schemas"]["MarkedRead"] & components["schemas"]["Written"] };
            };
        };
    };
    list_invitations: {
        parameters: { path: { orgId: string } };
        responses: { 200: { content: { "application/json": components["schemas"]["InvitationList"] } } };
    };
    invite_member: {
        parameters: { path: { orgId: string } };
        requestBody: {
            content: {
                "application/json": {
                    email: string;
                    /**
                     * @description default viewer
                     * @enum {string}
                     */
                    role?: "guest" | "viewer" | "editor" | "admin" | "owner";
                    /** @description roles in bases that the person gets, such as a guest's */
                    bases?: {
                        baseId: string;
                        /** @enum {string} */
                        role: "viewer" | "commenter" | "editor" | "creator";
                    }[];
                };
            };
        };
        responses: {
            200: {
                content: { "application/json": components["schemas"]["Invitation"] & components["schemas"]["Written"] };
            };
        };
    };
    revoke_invitation: {
        parameters: {
            path: {
                orgId: string;
                invitationId: string;
            };
        };
        responses: {
            200: {
                content: { "application/json": components["schemas"]["Deleted"] & components["schemas"]["Written"] };
            };
        };
    };
    list_jobs: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
            };
            path: { orgId: string };
        };
        responses: { 200: { content: { "application/json": components["schemas"]["JobList"] } } };
    };
    leave_org: {
        parameters: { path: { orgId: string } };
        responses: {
            200: {
                content: { "application/json": components["schemas"]["Deleted"] & components["schemas"]["Written"] };
            };
        };
    };
    list_members: {
        parameters: { path: { orgId: string } };
        responses: { 200: { content: { "application/json": components["schemas"]["MemberList"] } } };
    };
    remove_member: {
        parameters: {
            query?: {
                /** @description planToken of a plan with the same arguments: do exactly that, or say what has moved */
                apply?: string;
                /** @description say what would happen, and change nothing */
                plan?: boolean;
            };
            path: {
                orgId: string;
                userId: string;
            };
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description say what would happen, and change nothing */
                    plan?: boolean;
                    /** @description planToken of a plan with the same arguments: do exactly that, or say what has moved */
                    apply?: string;
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["DeletedOrPlanned"] & components["schemas"]["Written"];
                };
            };
        };
    };
    set_member_role: {
        parameters: {
            path: {
                orgId: string;
                userId: string;
            };
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    role: "guest" | "viewer" | "editor" | "admin" | "owner";
                };
            };
        };
        responses: {
            200: {
                content: { "application/json": components["schemas"]["Changed"] & components["schemas"]["Written"] };
            };
        };
    };
    get_notifications: {
        parameters: { path: { orgId: string } };
        responses: { 200: { content: { "application/json": components["schemas"]["Notifications"] } } };
    };
    set_notifications: {
        parameters: { path: { orgId: string } };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description in the application */
                    inbox?: boolean;
                    mail?: boolean;
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Notifications"] & components["schemas"]["Written"];
                };
            };
        };
    };
    get_retention: {
        parameters: { path: { orgId: string } };
        responses: { 200: { content: { "application/json": components["schemas"]["Retention"] } } };
    };
    list_org_trash: {
        parameters: {
            query?: {
                cursor?: string;
                /** @description record, table, field, view, column, base */
                kinds?: string[];
                limit?: number;
            };
            path: { orgId: string };
        };
        responses: { 200: { content: { "application/json": components["schemas"]["TrashPage"] } } };
    };
    purge_bases: {
        parameters: { path: { orgId: string } };
        requestBody: {
            content: {
                "application/json": {
                    /** @description from list_trash; records of one table, or others */
                    items: string[];
                };
            };
        };
        responses: {
            200: {
                content: { "application/json": components["schemas"]["Purged"] & components["schemas"]["Written"] };
            };
        };
    };
    restore_bases: {
        parameters: { path: { orgId: string } };
        requestBody: {
            content: {
                "application/json": {
                    /** @description from list_trash; records of one table, or others */
                    items: string[];
                    dryRun?: boolean;
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["RestoredItems"] & components["schemas"]["Written"];
                };
            };
        };
    };
    list_workspaces: {
        parameters: { path: { orgId: string } };
        responses: { 200: { content: { "application/json": components["schemas"]["WorkspaceList"] } } };
    };
    get_record: {
        parameters: {
            query?: {
                /** @description RFC 3339 time or chs_ id */
                asOf?: string;
            };
            path: { recordId: string };
        };
        responses: { 200: { content: { "application/json": components["schemas"]["Record"] } } };
    };
    delete_record: {
        parameters: { path: { recordId: string } };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["RecordsDeleted"] & components["schemas"]["Written"];
                };
            };
        };
    };
    update_record: {
        parameters: { path: { recordId: string } };
        requestBody: {
            content: {
                "application/json": {
                    fields: components["schemas"]["Values"];
                    typecast?: boolean;
                };
            };
        };
        responses: {
            200: {
                content: { "application/json": components["schemas"]["Record"] & components["schemas"]["Written"] };
            };
        };
    };
    read_attachment: {
        parameters: {
            query?: {
                /** @description characters; default 20000 */
                limit?: number;
                /** @description nextOffset of the answer before */
                offset?: number;
            };
            path: {
                recordId: string;
                attachmentId: string;
            };
        };
        responses: { 200: { content: { "application/json": components["schemas"]["AttachmentText"] } } };
    };
    list_comments: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
            };
            path: { recordId: string };
        };
        responses: { 200: { content: { "application/json": components["schemas"]["CommentPage"] } } };
    };
    create_comment: {
        parameters: { path: { recordId: string } };
        requestBody: {
            content: {
                "application/json": {
                    text: string;
                    replyTo?: string;
                };
            };
        };
        responses: {
            200: {
                content: { "application/json": components["schemas"]["Comment"] & components["schemas"]["Written"] };
            };
        };
    };
    get_record_history: {
        parameters: {
            query?: {
                cursor?: string;
                /** @description full: with ids and whole values; default short */
                detail?: "short" | "full";
                limit?: number;
                /** @description with all fields after each change */
                state?: boolean;
            };
            path: { recordId: string };
        };
        responses: { 200: { content: { "application/json": components["schemas"]["RecordHistory"] } } };
    };
    restore_record_version: {
        parameters: { path: { recordId: string } };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description RFC 3339 moment, or a change set: before it */
                    asOf?: string;
                    /** @description of the record, as get_record_history has it */
                    version?: number;
                    /** @description answer the plan alone */
                    dryRun?: boolean;
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["VersionPlan"] & components["schemas"]["Written"];
                };
            };
        };
    };
    describe_table: {
        parameters: { path: { tableId: string } };
        responses: { 200: { content: { "application/json": components["schemas"]["Table"] } } };
    };
    delete_table: {
        parameters: {
            query?: {
                /** @description planToken of a plan with the same arguments: do exactly that, or say what has moved */
                apply?: string;
                /** @description say what would happen, and change nothing */
                plan?: boolean;
            };
            path: { tableId: string };
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description say what would happen, and change nothing */
                    plan?: boolean;
                    /** @description planToken of a plan with the same arguments: do exactly that, or say what has moved */
                    apply?: string;
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["DeletedOrPlanned"] & components["schemas"]["Written"];
                };
            };
        };
    };
    update_table: {
        parameters: { path: { tableId: string } };
        requestBody?: {
            content: {
                "application/json": {
                    name?: string;
                    icon?: components["schemas"]["Icon"];
                };
            };
        };
        responses: {
            200: {
                content: { "application/json": components["schemas"]["Changed"] & components["schemas"]["Written"] };
            };
        };
    };
    create_attachment: {
        parameters: { path: { tableId: string } };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    /** @description base64 */
                    content: string;
                };
            };
        };
        responses: {
            200: { content: { "application/json": components["schemas"]["File"] & components["schemas"]["Written"] } };
        };
    };
    count_comments: {
        parameters: {
            query?: { records?: string[] };
            path: { tableId: string };
        };
        responses: { 200: { content: { "application/json": components["schemas"]["CommentCounts"] } } };
    };
    duplicate_table: {
        parameters: { path: { tableId: string } };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description of the copy; default the name and copy */
                    name?: string;
                    /** @description default true; false: the structure alone */
                    records?: boolean;
                };
            };
        };
        responses: {
            200: { content: { "application/json": components["schemas"]["Job"] & components["schemas"]["Written"] } };
        };
    };
    export_table: {
        parameters: { path: { tableId: string } };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    format: "csv" | "xlsx" | "ndjson" | "parquet";
                    /** @description view id */
                    view?: string;
                    search?: string;
                    filters?: components["schemas"]["Filters"];
                    sorts?: components["schemas"]["Sorts"];
                    /** @description names or ids; default all */
                    fields?: string[];
                    /** @description begin csv with a byte order mark, for spreadsheets */
                    bom?: boolean;
                };
            };
        };
        responses: {
            200: { content: { "application/json": components["schemas"]["Job"] & components["schemas"]["Written"] } };
        };
    };
    list_fields: {
        parameters: { path: { tableId: string } };
        responses: { 200: { content: { "application/json": components["schemas"]["FieldList"] } } };
    };
    create_field: {
        parameters: { path: { tableId: string } };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    type: components["schemas"]["FieldType"];
                    /** @description options [name] for selects, precision, symbol, max, format, timeZone, multiple; required, unique, default, description */
                    config?: components["schemas"]["FieldConfigIn"];
                    /** @description from 1; 0 is the primary field; default the end */
                    position?: number;
                };
            };
        };
        responses: {
            200: {
                content: { "application/json": components["schemas"]["FieldNamed"] & components["schemas"]["Written"] };
            };
        };
    };
    check_formula: {
        parameters: { path: { tableId: string } };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description as in IF({Price} > 10, "high", "low") */
                    formula?: string;
                    /** @description the field that is to get the formula; absent for a new one */
                    fieldId?: string;
                    /** @description with config, checks such a field in place of a formula */
                    type?: components["schemas"]["LinkedType"];
                    /** @description as in create_field */
                    config?: components["schemas"]["FieldConfigIn"];
                };
            };
        };
        responses: { 200: { content: { "application/json": components["schemas"]["FormulaChecked"] } } };
    };
    import_table: {
        parameters: { path: { tableId: string } };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description id of an upload of yours for the table or the base */
                    file?: string;
                    /** @description base64, instead of file */
                    content?: string;
                    /** @description of a spreadsheet, or table of an export of Notion; default the first with rows */
                    sheet?: string;
                    /** @description as utf-8 or windows-1252 */
                    encoding?: string;
                    /** @enum {string} */
                    delimiter?: "comma" | "semicolon" | "tab" | "pipe";
                    /** @description whether a row names the columns */
                    header?: boolean;
                    /** @description language of the person, as pl */
                    locale?: string;
                    /** @description only report how the file is read and what would happen */
                    dryRun?: boolean;
                    /** @description planToken of the report of a dry run with the same arguments and file: do exactly that, or say what has changed */
                    apply?: string;
                    /** @description by position */
                    columns?: {
                        /** @description name or id; default that of the column's name */
                        field?: string;
                        /** @description of a new field; default the column's */
                        name?: string;
                        /** @description of a new field */
                        type?: string;
                        /** @description of a new field */
                        config?: unknown;
                        skip?: boolean;
                        /**
                         * @description sign, where the columns leave it open
                         * @enum {string}
                         */
                        decimal?: "point" | "comma";
                        /**
                         * @description where the columns leave it open
                         * @enum {string}
                         */
                        dateOrder?: "DMY" | "MDY";
                    }[];
                    /** @description names of the fields to match on */
                    upsertOn?: string[];
                    /**
                     * @description a value that does not fit: leave out its row, or its cell; default refuse
                     * @enum {string}
                     */
                    onBad?: "refuse" | "empty";
                };
            };
        };
        responses: {
            200: { content: { "application/json": components["schemas"]["Job"] & components["schemas"]["Written"] } };
        };
    };
    upload_table_import: {
        parameters: {
            query: { name: string };
            path: { tableId: string };
        };
        requestBody: { content: { "*/*": string } };
        responses: {
            200: { content: { "application/json": components["schemas"]["File"] & components["schemas"]["Written"] } };
        };
    };
    list_indexes: {
        parameters: { path: { tableId: string } };
        responses: { 200: { content: { "application/json": components["schemas"]["IndexList"] } } };
    };
    get_table_permissions: {
        parameters: { path: { tableId: string } };
        responses: { 200: { content: { "application/json": components["schemas"]["TablePermissions"] } } };
    };
    set_table_permissions: {
        parameters: { path: { tableId: string } };
        requestBody?: {
            content: {
                "application/json": {
                    read?: components["schemas"]["Audience"];
                    create?: components["schemas"]["Audience"];
                    edit?: components["schemas"]["Audience"];
                    delete?: components["schemas"]["Audience"];
                    /** @description of read, create, edit, delete */
                    reset?: string[];
                    fields?: {
                        fieldId: string;
                        read?: components["schemas"]["Audience"];
                        edit?: components["schemas"]["Audience"];
                        /** @description of read, edit */
                        reset?: string[];
                        /** @description of a computed field: show its result in spite of what is hidden */
                        reveal?: boolean;
                    }[];
                    /** @description replace all; they narrow what the rest gives */
                    rules?: components["schemas"]["RowRule"][];
                    /** @description say what would happen, and change nothing */
                    plan?: boolean;
                    /** @description planToken of a plan with the same arguments: do exactly that, or say what has moved */
                    apply?: string;
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ChangedOrPlanned"] & components["schemas"]["Written"];
                };
            };
        };
    };
    query_records: {
        parameters: {
            query?: {
                /** @description RFC 3339 time or chs_ id */
                asOf?: string;
                /** @description id of a view whose colorRules give the records colours */
                colorsOf?: string;
                cursor?: string;
                /** @description names or ids of the fields to return; default all */
                fields?: string[];
                /** @description conditions, all of which must hold: {fieldId, op, value}, {and: […]} or {or: […]}; fieldId is an id, a name, or of linked records a path such as Company.Country. op: eq neq contains not_contains starts_with ends_with in not_in gt gte lt lte between is_within has_any has_all has_none is_exactly is_empty is_not_empty */
                filters?: string;
                /** @description rows: names once, in columns, links and files by name; default records */
                format?: "records" | "rows";
                /** @description default full, or short in rows; none is for rows alone */
                ids?: "full" | "short" | "none";
                /** @description columns of rows */
                include?: ("createdTime" | "version")[];
                limit?: number;
                /** @description records to skip; use cursor for deep pages */
                offset?: number;
                /** @description text in any field, ignoring case and accents */
                search?: string;
                /** @description [{fieldId, dir}], dir asc or desc; empty values last */
                sorts?: string;
                /** @description view id */
                view?: string;
            };
            path: { tableId: string };
        };
        responses: { 200: { content: { "application/json": components["schemas"]["RecordPage"] } } };
    };
    create_records: {
        parameters: { path: { tableId: string } };
        requestBody?: {
            content: {
                "application/json": {
                    fields?: components["schemas"]["Values"];
                    records?: { fields: components["schemas"]["Values"] }[];
                    /** @description names of the fields to match on */
                    upsertOn?: string[];
                    /** @description convert values of other types, and add select options */
                    typecast?: boolean;
                    /**
                     * @description what the answer has of the records, none: how many; default records
                     * @enum {string}
                     */
                    return?: "records" | "ids" | "none";
                    /**
                     * @description default full
                     * @enum {string}
                     */
                    ids?: "full" | "short";
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["RecordsWritten"] & components["schemas"]["Written"];
                };
            };
        };
    };
    delete_records: {
        parameters: {
            query?: {
                /** @description planToken of a plan with the same arguments: do exactly that, or say what has moved */
                apply?: string;
                ids?: string[];
                /** @description say what would happen, and change nothing */
                plan?: boolean;
            };
            path: { tableId: string };
        };
        requestBody?: {
            content: {
                "application/json": {
                    ids: string[];
                    /** @description say what would happen, and change nothing */
                    plan?: boolean;
                    /** @description planToken of a plan with the same arguments: do exactly that, or say what has moved */
                    apply?: string;
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["RecordsDeletedOrPlanned"] & components["schemas"]["Written"];
                };
            };
        };
    };
    update_records: {
        parameters: { path: { tableId: string } };
        requestBody: {
            content: {
                "application/json": {
                    records: {
                        id: string;
                        /** @description only if the record has it */
                        version?: number;
                        fields: components["schemas"]["Values"];
                    }[];
                    typecast?: boolean;
                    /**
                     * @description what the answer has of the records, none: how many; default records
                     * @enum {string}
                     */
                    return?: "records" | "ids" | "none";
                    /**
                     * @description default full
                     * @enum {string}
                     */
                    ids?: "full" | "short";
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["RecordsWritten"] & components["schemas"]["Written"];
                };
            };
        };
    };
    aggregate_records: {
        parameters: {
            query?: {
                /** @description [{fn, fieldId}], fn count, distinct, sum, avg, min, max, median, percentile (with p: 90) or percent_of_total; default the number of records */
                aggregates?: string;
                /** @description RFC 3339 time or chs_ id */
                asOf?: string;
                /** @description conditions, all of which must hold: {fieldId, op, value}, {and: […]} or {or: […]}; fieldId is an id, a name, or of linked records a path such as Company.Country. op: eq neq contains not_contains starts_with ends_with in not_in gt gte lt lte between is_within has_any has_all has_none is_exactly is_empty is_not_empty */
                filters?: string;
                /** @description rows: names once, in columns; default records */
                format?: "records" | "rows";
                /** @description fields, also links, Company.Country, or day, week, month, quarter or year as in month(Closed) */
                groupBy?: string[];
                /** @description [{by, op, value}], by a result such as sum(Price), op eq, neq, gt, gte, lt, lte or between */
                having?: string;
                limit?: number;
                /** @description [{by, dir}], by a result or a groupBy; default the keys */
                orderBy?: string;
                search?: string;
                view?: string;
            };
            path: { tableId: string };
        };
        responses: { 200: { content: { "application/json": components["schemas"]["RecordGroups"] } } };
    };
    get_critical_path: {
        parameters: {
            query?: {
                /** @description id or name of a link to the table itself: a record depends on those it links */
                dependsOnFieldId?: string;
                /** @description id or name of a field with a date; without it a record takes a day */
                endFieldId?: string;
                /** @description conditions, all of which must hold: {fieldId, op, value}, {and: […]} or {or: […]}; fieldId is an id, a name, or of linked records a path such as Company.Country. op: eq neq contains not_contains starts_with ends_with in not_in gt gte lt lte between is_within has_any has_all has_none is_exactly is_empty is_not_empty */
                filters?: string;
                /** @description working days, Monday to Friday */
                maxSlack?: number;
                search?: string;
                /** @description id or name of a field with a date */
                startFieldId?: string;
                view?: string;
            };
            path: { tableId: string };
        };
        responses: { 200: { content: { "application/json": components["schemas"]["Schedule"] } } };
    };
    stream_records: {
        parameters: {
            query?: {
                /** @description view id */
                view?: string;
                search?: string;
                /** @description conditions, all of which must hold: {fieldId, op, value}, {and: […]} or {or: […]}; fieldId is an id, a name, or of linked records a path such as Company.Country. op: eq neq contains not_contains starts_with ends_with in not_in gt gte lt lte between is_within has_any has_all has_none is_exactly is_empty is_not_empty */
                filters?: string;
                /** @description [{fieldId, dir}], dir asc or desc; empty values last */
                sorts?: string;
                /** @description names or ids; default all */
                fields?: string;
                /** @description RFC 3339 time or chs_ id */
                asOf?: string;
                /** @description begin with a byte order mark, without which spreadsheets do not read UTF-8 */
                bom?: boolean;
            };
            path: { tableId: string };
        };
        responses: { 200: { content: { "text/csv": string } } };
    };
    export_records: {
        parameters: { path: { tableId: string } };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description view id */
                    view?: string;
                    search?: string;
                    filters?: components["schemas"]["Filters"];
                    sorts?: components["schemas"]["Sorts"];
                    /** @description names or ids; default all */
                    fields?: string[];
                    /** @description RFC 3339 time or chs_ id */
                    asOf?: string;
                    /** @description rows */
                    limit?: number;
                    /** @description of the CSV */
                    maxBytes?: number;
                    cursor?: string;
                };
            };
        };
        responses: { 200: { content: { "application/json": components["schemas"]["Exported"] } } };
    };
    create_download: {
        parameters: { path: { tableId: string } };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description view id */
                    view?: string;
                    search?: string;
                    filters?: components["schemas"]["Filters"];
                    sorts?: components["schemas"]["Sorts"];
                    /** @description names or ids; default all */
                    fields?: string[];
                    /** @description RFC 3339 time or chs_ id */
                    asOf?: string;
                };
            };
        };
        responses: { 200: { content: { "application/json": components["schemas"]["DownloadAddress"] } } };
    };
    import_records: {
        parameters: { path: { tableId: string } };
        requestBody?: {
            content: {
                "application/json": {
                    csv?: string;
                    /** @description id of an upload of yours, instead of csv */
                    file?: string;
                    /** @description rows of file to pass over */
                    offset?: number;
                    /** @description names of the fields to match on */
                    upsertOn?: string[];
                    /** @description leave out rows that do not fit */
                    skipRefused?: boolean;
                    /**
                     * @description sign, where the columns leave it open
                     * @enum {string}
                     */
                    decimal?: "point" | "comma";
                    /**
                     * @description where the columns leave it open
                     * @enum {string}
                     */
                    dateOrder?: "DMY" | "MDY";
                    /** @description say what would happen, and change nothing */
                    plan?: boolean;
                    /** @description planToken of a plan with the same arguments: do exactly that, or say what has moved */
                    apply?: string;
                };
            };
        };
        responses: {
            200: {
                content: { "application/json": components["schemas"]["Imported"] & components["schemas"]["Written"] };
            };
        };
    };
    merge_records: {
        parameters: { path: { tableId: string } };
        requestBody: {
            content: {
                "application/json": {
                    /** @description id of the record that stays */
                    keep: string;
                    /** @description ids of the others */
                    merge: string[];
                    /** @description values that decide, by field name */
                    fields?: components["schemas"]["Values"];
                    /** @description only say what would result */
                    dryRun?: boolean;
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["RecordsMerged"] & components["schemas"]["Written"];
                };
            };
        };
    };
    search_records: {
        parameters: {
            query: {
                /** @description RFC 3339 time or chs_ id */
                asOf?: string;
                cursor?: string;
                /** @description rows: names once, in columns, links and files by name; default records */
                format?: "records" | "rows";
                /** @description default full, or short in rows; none is for rows alone */
                ids?: "full" | "short" | "none";
                /** @description columns of rows */
                include?: ("createdTime" | "version")[];
                limit?: number;
                /** @description records to skip; use cursor for deep pages */
                offset?: number;
                q: string;
            };
            path: { tableId: string };
        };
        responses: { 200: { content: { "application/json": components["schemas"]["RecordPage"] } } };
    };
    delete_selected_records: {
        parameters: {
            query?: {
                /** @description ids of records that stay */
                except?: string[];
                /** @description conditions, all of which must hold: {fieldId, op, value}, {and: […]} or {or: […]}; fieldId is an id, a name, or of linked records a path such as Company.Country. op: eq neq contains not_contains starts_with ends_with in not_in gt gte lt lte between is_within has_any has_all has_none is_exactly is_empty is_not_empty */
                filters?: string;
                search?: string;
            };
            path: { tableId: string };
        };
        requestBody?: {
            content: {
                "application/json": {
                    filters?: components["schemas"]["Filters"];
                    search?: string;
                    /** @description ids of records that stay */
                    except?: string[];
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["SelectedRecordsDeleted"] & components["schemas"]["Written"];
                };
            };
        };
    };
    delete_records_where: {
        parameters: {
            query?: {
                /** @description planToken of a plan with the same arguments: do exactly that, or say what has moved */
                apply?: string;
                /** @description conditions, all of which must hold: {fieldId, op, value}, {and: […]} or {or: […]}; fieldId is an id, a name, or of linked records a path such as Company.Country. op: eq neq contains not_contains starts_with ends_with in not_in gt gte lt lte between is_within has_any has_all has_none is_exactly is_empty is_not_empty */
                filters?: string;
                /** @description say what would happen, and change nothing */
                plan?: boolean;
                search?: string;
                view?: string;
            };
            path: { tableId: string };
        };
        requestBody?: {
            content: {
                "application/json": {
                    filters?: components["schemas"]["Filters"];
                    view?: string;
                    search?: string;
                    /** @description say what would happen, and change nothing */
                    plan?: boolean;
                    /** @description planToken of a plan with the same arguments: do exactly that, or say what has moved */
                    apply?: string;
                };
            };
        };
        responses: {
            200: {
                content: { "application/json": components["schemas"]["BulkResult"] & components["schemas"]["Written"] };
            };
        };
    };
    update_records_where: {
        parameters: { path: { tableId: string } };
        requestBody?: {
            content: {
                "application/json": {
                    filters?: components["schemas"]["Filters"];
                    view?: string;
                    search?: string;
                    fields?: components["schemas"]["Values"];
                    /** @description {"formula": …} by field name; formulas read the record as it was */
                    set?: components["schemas"]["Values"];
                    typecast?: boolean;
                    /** @description say what would happen, and change nothing */
                    plan?: boolean;
                    /** @description planToken of a plan with the same arguments: do exactly that, or say what has moved */
                    apply?: string;
                };
            };
        };
        responses: {
            200: {
                content: { "application/json": components["schemas"]["BulkResult"] & components["schemas"]["Written"] };
            };
        };
    };
    upload_file: {
        parameters: {
            query: { name: string };
            path: { tableId: string };
        };
        requestBody: { content: { "*/*": string } };
        responses: {
            200: { content: { "application/json": components["schemas"]["File"] & components["schemas"]["Written"] } };
        };
    };
    create_upload: {
        parameters: { path: { tableId: string } };
        requestBody: {
            content: {
                "application/json": {
                    /** @description of the file, as guests.csv */
                    name: string;
                    /** @description bytes; the address then takes no file of another size */
                    size?: number;
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["UploadAddress"] & components["schemas"]["Written"];
                };
            };
        };
    };
    list_views: {
        parameters: { path: { tableId: string } };
        responses: { 200: { content: { "application/json": components["schemas"]["ViewList"] } } };
    };
    create_view: {
        parameters: { path: { tableId: string } };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    type: "grid" | "gallery" | "kanban" | "calendar" | "timeline" | "chart" | "form";
                    name?: string;
                    /**
                     * @description personal: only its creator and admins see it; locked: only admins change it
                     * @enum {string}
                     */
                    access?: "collaborative" | "personal" | "locked";
                    /** @description as in update_view */
                    config?: { [key: string]: unknown };
                };
            };
        };
        responses: {
            200: {
                content: { "application/json": components["schemas"]["FieldNamed"] & components["schemas"]["Written"] };
            };
        };
    };
    list_templates: {
        parameters: {};
        responses: { 200: { content: { "application/json": components["schemas"]["TemplateList"] } } };
    };
    get_upload_limits: {
        parameters: {};
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description maximum size of a file */
                        maxBytes: number;
                        /** @description maximum size of a file for an import */
                        maxImportBytes: number;
                        /** @description accepted media types, such as image/*; empty means all */
                        types: string[];
                    };
                };
            };
        };
    };
    send_upload: {
        parameters: { path: { token: string } };
        requestBody: { content: { "*/*": string } };
        responses: {
            200: { content: { "application/json": components["schemas"]["File"] & components["schemas"]["Written"] } };
        };
    };
    get_view: {
        parameters: { path: { viewId: string } };
        responses: { 200: { content: { "application/json": components["schemas"]["View"] } } };
    };
    delete_view: {
        parameters: {
            query?: {
                /** @description planToken of a plan with the same arguments: do exactly that, or say what has moved */
                apply?: string;
                /** @description say what would happen, and change nothing */
                plan?: boolean;
            };
            path: { viewId: string };
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description say what would happen, and change nothing */
                    plan?: boolean;
                    /** @description planToken of a plan with the same arguments: do exactly that, or say what has moved */
                    apply?: string;
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["DeletedOrPlanned"] & components["schemas"]["Written"];
                };
            };
        };
    };
    update_view: {
        parameters: { path: { viewId: string } };
        requestBody?: {
            content: {
                "application/json": {
                    name?: string;
                    config?: { [key: string]: unknown };
                    unset?: string[];
                    /**
                     * @description personal: only its creator and admins see it; locked: only admins change it
                     * @enum {string}
                     */
                    access?: "collaborative" | "personal" | "locked";
                };
            };
        };
        responses: {
            200: {
                content: { "application/json": components["schemas"]["Changed"] & components["schemas"]["Written"] };
            };
        };
    };
    answer_form: {
        parameters: { path: { viewId: string } };
        requestBody: {
            content: {
                "application/json": {
                    fields: components["schemas"]["Values"];
                    /** @description convert values of other types */
                    typecast?: boolean;
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["RecordsWritten"] & components["schemas"]["Written"];
                };
            };
        };
    };
    move_records: {
        parameters: { path: { viewId: string } };
        requestBody: {
            content: {
                "application/json": {
                    /** @description in the order in which they are to come */
                    ids: string[];
                    /** @description id of the record before which they come */
                    before?: string;
                    /** @description id of the record behind which they come */
                    after?: string;
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["RecordsMoved"] & components["schemas"]["Written"];
                };
            };
        };
    };
    get_view_share: {
        parameters: { path: { viewId: string } };
        responses: { 200: { content: { "application/json": components["schemas"]["ViewShare"] } } };
    };
    set_view_share: {
        parameters: { path: { viewId: string } };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description 8 to 200 characters, or "" for none */
                    password?: string;
                    /** @description RFC 3339, or "" for no end */
                    expiresTime?: string;
                    /** @description let other sites show the page in a frame */
                    embed?: boolean;
                    /** @description let readers change and add records; not of a form */
                    edit?: boolean;
                    /** @description replace the share id; the old one stops working at once */
                    regenerate?: boolean;
                };
            };
        };
        responses: {
            200: {
                content: { "application/json": components["schemas"]["ViewShare"] & components["schemas"]["Written"] };
            };
        };
    };
    disable_view_share: {
        parameters: { path: { viewId: string } };
        responses: {
            200: {
                content: { "application/json": components["schemas"]["ViewShare"] & components["schemas"]["Written"] };
            };
        };
    };
    create_workspace: {
        parameters: {};
        requestBody: {
            content: {
                "application/json": {
                    /** @description the organization, from get_me or list_orgs */
                    orgId: string;
                    name: string;
                    /** @description a colour name such as blue, or #rrggbb */
                    color?: string;
                };
            };
        };
        responses: {
            200: { content: { "application/json": components["schemas"]["Named"] & components["schemas"]["Written"] } };
        };
    };
    delete_workspace: {
        parameters: { path: { workspaceId: string } };
        responses: {
            200: {
                content: { "application/json": components["schemas"]["Deleted"] & components["schemas"]["Written"] };
            };
        };
    };
    update_workspace: {
        parameters: { path: { workspaceId: string } };
        requestBody?: {
            content: {
                "application/json": {
                    name?: string;
                    color?: string;
                    icon?: components["schemas"]["Icon"];
                };
            };
        };
        responses: {
            200: {
                content: { "application/json": components["schemas"]["Changed"] & components["schemas"]["Written"] };
            };
        };
    };
    get_workspace_access: {
        parameters: { path: { workspaceId: string } };
        responses: { 200: { content: { "application/json": components["schemas"]["WorkspaceAccess"] } } };
    };
    set_workspace_access: {
        parameters: { path: { workspaceId: string } };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description true: only what is granted counts; false: roles in the organization too */
                    restricted?: boolean;
                    /** @description each of one person or group; others stay */
                    grants?: {
                        userId?: string;
                        groupId?: string;
                        /**
                         * @description none takes the grant away
                         * @enum {string}
                         */
                        role: "none" | "viewer" | "commenter" | "editor" | "creator";
                    }[];
                    /** @description say what would happen, and change nothing */
                    plan?: boolean;
                    /** @description planToken of a plan with the same arguments: do exactly that, or say what has moved */
                    apply?: string;
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ChangedOrPlanned"] & components["schemas"]["Written"];
                };
            };
        };
    };
    start_airtable_import: {
        parameters: { path: { workspaceId: string } };
        requestBody: {
            content: {
                "application/json": {
                    /** @description app…, or the address of a page of the base */
                    airtableBaseId: string;
                    /** @description personal access token of Airtable */
                    token: string;
                    /** @description of the new base; default that of Airtable */
                    name?: string;
                    /** @description the base that an earlier import made, to bring its changes */
                    baseId?: string;
                };
            };
        };
        responses: {
            200: { content: { "application/json": components["schemas"]["Job"] & components["schemas"]["Written"] } };
        };
    };
    start_archive_import: {
        parameters: { path: { workspaceId: string } };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description id of an upload of yours for the workspace */
                    file?: string;
                    /** @description base64, instead of file */
                    content?: string;
                    /** @description id of a template, instead of file */
                    template?: string;
                    /** @description of the new base; default that in the archive */
                    name?: string;
                };
            };
        };
        responses: {
            200: { content: { "application/json": components["schemas"]["Job"] & components["schemas"]["Written"] } };
        };
    };
    start_product_import: {
        parameters: { path: { workspaceId: string } };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    product: "nocodb" | "baserow";
                    /** @description id of the base at NocoDB, p…, or of the database at Baserow, a number */
                    productBaseId: string;
                    /** @description of the product */
                    token: string;
                    /** @description of your own installation; default that of the product's maker */
                    address?: string;
                    /** @description of the new base; default that of the product */
                    name?: string;
                    /** @description the base that an earlier import made, to bring its changes */
                    baseId?: string;
                };
            };
        };
        responses: {
            200: { content: { "application/json": components["schemas"]["Job"] & components["schemas"]["Written"] } };
        };
    };
    upload_archive: {
        parameters: {
            query: { name: string };
            path: { workspaceId: string };
        };
        requestBody: { content: { "*/*": string } };
        responses: {
            200: { content: { "application/json": components["schemas"]["File"] & components["schemas"]["Written"] } };
        };
    };
}
