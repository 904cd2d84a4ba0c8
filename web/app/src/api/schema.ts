// Written by `npm run generate` from the OpenAPI document 3af6c216183009974b2cc4e226e8e3aac83e0388dc6de65474e123d6471bbec5; not to be edited.

export interface paths {
    "/api/v1/bases": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List every base that you can access.
         * @description Of all your organizations. describe_base has tables and fields.
         */
        get: operations["list_bases"];
        put?: never;
        /**
         * Create an empty base.
         * @description Give workspaceId, or orgId for its default workspace, or neither if you belong to one organization. Add tables with create_table.
         */
        post: operations["create_base"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/bases/{baseId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a base with all its tables, fields and views.
         * @description Call this before you read or write records. For a large base, request detail names first.
         */
        get: operations["describe_base"];
        put?: never;
        post?: never;
        /**
         * Delete a base with all its tables and records.
         * @description An admin can restore it from the trash for a while. plan says what would go, with a planToken for apply.
         */
        delete: operations["delete_base"];
        options?: never;
        head?: never;
        /**
         * Change a base's name, icon, timeZone or workspace.
         * @description Other members stay.
         */
        patch: operations["update_base"];
        trace?: never;
    };
    "/api/v1/bases/{baseId}/change-sets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the change sets of a base, newest first.
         * @description Says who changed how many records, and which tables, fields and views.
         */
        get: operations["list_change_sets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/bases/{baseId}/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List changes of a base since a cursor, oldest first.
         * @description Each has before and after. Without a cursor you get that of now. Kind schema needs schema:read.
         */
        get: operations["list_changes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/bases/{baseId}/changes/revert": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Take back changes: change sets, or all by a credential since a moment.
         * @description All or none. Call with dryRun first. What others have changed since is a conflict. A revert is a change set and can be reverted. Changes of tables and fields need schema:write.
         */
        post: operations["revert_changes"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/bases/{baseId}/live": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Watch the changes of a base. */
        get: operations["watch_base"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/bases/{baseId}/presence": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Say that you have a base open, and which cell is yours.
         * @description Those who watch the base are told. It is forgotten after expiresIn seconds; say it again before. left takes it back.
         */
        put: operations["set_presence"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/bases/{baseId}/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find the records of a base that have all the given words, in any field and any order.
         * @description Words are also found as parts of others, ignoring case. If nothing has them, words of four letters and more are found with one letter wrong, missing or too many. The best come first: those whose primary value is what was searched for, begins with it, or has it.
         */
        get: operations["search_base"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/bases/{baseId}/share": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get whether a base is shared publicly, and its share id.
         * @description The public page is {service}/share/{publicShareId}.
         */
        get: operations["get_public_share"];
        /**
         * Make a base readable by anyone who has its share id.
         * @description Returns the share id. regenerate replaces it; the old one stops working at once. Stop sharing with disable_public_share.
         */
        put: operations["set_public_share"];
        post?: never;
        /**
         * Stop sharing a base publicly.
         * @description The share id stops working at once.
         */
        delete: operations["disable_public_share"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/bases/{baseId}/sql": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Run one SELECT of PostgreSQL over the tables of a base.
         * @description Tables and columns have the names of tables and fields, in double quotes if they contain spaces; case does not matter. Each table also has id (to join), record_id (for other operations), created_at and updated_at. A link field is a table of its own, "Table__Field" with id, linked_id and position. Joins, sub-selects, WITH, windows and aggregates are allowed. Errors say the line and column and what is valid.
         */
        post: operations["query_sql"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/bases/{baseId}/tables": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the tables of a base.
         * @description Ids and names only; describe_base and describe_table have fields.
         */
        get: operations["list_tables"];
        put?: never;
        /**
         * Create a table, optionally with fields.
         * @description The first text-like field becomes the primary field; if there is none, a text field Name is added. A grid view is created too.
         */
        post: operations["create_table"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/bases/{baseId}/trash": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what was deleted in a base, latest first.
         * @description Give the ids to restore.
         */
        get: operations["list_trash"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/bases/{baseId}/trash/purge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delete items of the trash for good, at once.
         * @description They cannot be restored afterwards.
         */
        post: operations["purge_trash"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/bases/{baseId}/trash/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restore deleted records, tables, fields or views from the trash.
         * @description All or none. A taken name gets " (restored)". Restoring a column undoes a change of type. Anything but records also needs schema:write.
         */
        post: operations["restore"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/bases/{baseId}/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the webhooks of a base.
         * @description A webhook sends the changes of a base to a URL.
         */
        get: operations["list_webhooks"];
        put?: never;
        /**
         * Have the changes of a base sent to a URL.
         * @description Messages follow Standard Webhooks 1.0: verify them with the secret, which is shown once. Changes come at least once, and those of a record in order. Without values, read the records that changed. The credential needs data:read and schema:read too.
         */
        post: operations["create_webhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/bases/{baseId}/webhooks/{webhookId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a webhook, and whether it works.
         * @description It has no secret; replace a lost one with rotate_webhook_secret.
         */
        get: operations["get_webhook"];
        put?: never;
        post?: never;
        /**
         * Delete a webhook with its deliveries.
         * @description What waits is not sent. A message that is on its way arrives.
         */
        delete: operations["delete_webhook"];
        options?: never;
        head?: never;
        /**
         * Change what a webhook tells of, or enable or disable it.
         * @description What is not given stays. You become the owner of a webhook that you enable or of which you change more than the name. With a cursor it goes on from there, and what waited is dropped. The credential needs data:read and schema:read too.
         */
        patch: operations["update_webhook"];
        trace?: never;
    };
    "/api/v1/bases/{baseId}/webhooks/{webhookId}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the deliveries of a webhook, latest first.
         * @description The latest 1,000 are kept, for at most 30 days.
         */
        get: operations["list_webhook_deliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/bases/{baseId}/webhooks/{webhookId}/deliveries/{deliveryId}/send": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a delivery again, or at once if it waits.
         * @description It keeps its webhook-id. See list_webhook_deliveries for the answer.
         */
        post: operations["send_webhook_delivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/bases/{baseId}/webhooks/{webhookId}/secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace the secret of a webhook.
         * @description Messages are signed with the former secret too, for a day.
         */
        post: operations["rotate_webhook_secret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/comments/{commentId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get one comment.
         * @description Changes of a base name comments by their ids.
         */
        get: operations["get_comment"];
        put?: never;
        post?: never;
        /**
         * Delete a comment for good.
         * @description Its author and admins may. The first comment of a thread that has replies leaves an empty place, with deletedAt.
         */
        delete: operations["delete_comment"];
        options?: never;
        head?: never;
        /**
         * Change the text of your own comment.
         * @description Notifies those whom it mentions for the first time.
         */
        patch: operations["update_comment"];
        trace?: never;
    };
    "/api/v1/comments/{commentId}/resolution": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Resolve the thread of a comment, or open it again.
         * @description Returns the first comment of the thread, with resolvedAt and resolvedBy if it is resolved.
         */
        put: operations["resolve_comment"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/field-types": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The types that a field may have.
         * @description Returns, for each type, the JSON Schemas of its values and of its config, its filter operators with the operand that each compares with, its aggregate functions, and what else a field of the type can do. It is the same for every caller.
         */
        get: operations["list_field_types"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/fields/{fieldId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get one field.
         * @description Returns its name, type and configuration.
         */
        get: operations["get_field"];
        put?: never;
        post?: never;
        /**
         * Delete a field with its values.
         * @description restore brings it back. Deleting a link also deletes its inverse field. The primary field cannot be deleted. plan says what would go, with a planToken for apply.
         */
        delete: operations["delete_field"];
        options?: never;
        head?: never;
        /**
         * Change a field's name, type, configuration, visibility or width.
         * @description A change that would lose values or invalidate a view's filter is refused unless discard is true. With plan, the answer says how many values the field has, which would be lost and what would no longer work, shows some before and after, and has a planToken for apply as in update_records_where.
         */
        patch: operations["update_field"];
        trace?: never;
    };
    "/api/v1/inbox": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the comments that mention you and the replies to you, the latest first.
         * @description Those about deleted records are left out; a page may be short although nextCursor is set.
         */
        get: operations["list_inbox"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get your identity, organizations and bases.
         * @description Start here. Also returns your roles and scopes.
         */
        get: operations["get_me"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orgs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the organizations that you belong to.
         * @description Returns ids, names and your roles.
         */
        get: operations["list_orgs"];
        put?: never;
        /**
         * Create an organization that you own.
         * @description Returns its id. You can own 20.
         */
        post: operations["create_org"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orgs/{orgId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get one organization.
         * @description Returns its name and your role.
         */
        get: operations["get_org"];
        put?: never;
        post?: never;
        /**
         * Delete an organization with all its workspaces, bases and records.
         * @description Only an owner may. Everything in it is permanently deleted.
         */
        delete: operations["delete_org"];
        options?: never;
        head?: never;
        /**
         * Rename an organization.
         * @description Only an owner may.
         */
        patch: operations["update_org"];
        trace?: never;
    };
    "/api/v1/orgs/{orgId}/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List who changed what, newest first.
         * @description Covers changes to schemas, shares, members and credentials, and bulk writes.
         */
        get: operations["list_audit_events"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orgs/{orgId}/inbox/read": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mark items of your inbox as read: those with ids, those about a record, or all.
         * @description What is read already, or not there, is passed over.
         */
        post: operations["mark_inbox_read"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orgs/{orgId}/invitations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the pending invitations of an organization.
         * @description Including expired ones.
         */
        get: operations["list_invitations"];
        put?: never;
        /**
         * Invite a person to an organization by e-mail.
         * @description Sends a link, valid for 14 days. Inviting again sends another; all of them grant the new role and end when the invitation is revoked.
         */
        post: operations["invite_member"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orgs/{orgId}/invitations/{invitationId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke a pending invitation.
         * @description Its link stops working at once.
         */
        delete: operations["revoke_invitation"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orgs/{orgId}/leave": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Leave an organization.
         * @description You lose access at once. Its last owner cannot leave.
         */
        post: operations["leave_org"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orgs/{orgId}/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the members of an organization with their roles.
         * @description With names and e-mail addresses. User fields take the user ids.
         */
        get: operations["list_members"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orgs/{orgId}/members/{userId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a member from an organization.
         * @description They lose access at once; what they wrote stays. Only an owner can remove an owner. To leave yourself, use leave_org.
         */
        delete: operations["remove_member"];
        options?: never;
        head?: never;
        /**
         * Change a member's role.
         * @description A viewer reads; an editor also writes records; an admin also changes schemas and members; an owner may do everything. Only an owner changes owners.
         */
        patch: operations["set_member_role"];
        trace?: never;
    };
    "/api/v1/orgs/{orgId}/notifications": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get how you are told of comments that mention you and of replies to you.
         * @description Both are on unless you have turned them off.
         */
        get: operations["get_notifications"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Choose how you are told of comments that mention you and of replies to you.
         * @description What is not given stays as it is.
         */
        patch: operations["set_notifications"];
        trace?: never;
    };
    "/api/v1/orgs/{orgId}/retention": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get how long deleted things and history are kept.
         * @description Also returns what the history takes on disk and from when it reaches.
         */
        get: operations["get_retention"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orgs/{orgId}/trash": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what was deleted in all bases, and deleted bases, latest first.
         * @description Give the ids of bases to restore_bases, and other ids to restore.
         */
        get: operations["list_org_trash"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orgs/{orgId}/trash/purge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delete bases in the trash for good, at once.
         * @description They cannot be restored afterwards.
         */
        post: operations["purge_bases"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orgs/{orgId}/trash/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restore deleted bases with their tables and records.
         * @description All or none. A public share of a base does not come back.
         */
        post: operations["restore_bases"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orgs/{orgId}/workspaces": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the workspaces of an organization.
         * @description They group bases. The first is the default.
         */
        get: operations["list_workspaces"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/records/{recordId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get one record.
         * @description Returns all its fields.
         */
        get: operations["get_record"];
        put?: never;
        post?: never;
        /**
         * Delete one record.
         * @description restore brings it back. Use delete_records for several.
         */
        delete: operations["delete_record"];
        options?: never;
        head?: never;
        /**
         * Update one record.
         * @description Merges fields into the record; null or an empty string clears a field.
         */
        patch: operations["update_record"];
        trace?: never;
    };
    "/api/v1/records/{recordId}/attachments/{attachmentId}/text": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the text of a file in a record, or a small copy of an image.
         * @description Text, CSV, JSON, Markdown, HTML and PDF, of up to 20 MB; images (JPEG, PNG, GIF, WebP) as JPEG of at most 1024 pixels. offset and limit count characters. The file itself is at the url that the record has of it.
         */
        get: operations["read_attachment"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/records/{recordId}/comments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the comments on a record, the latest thread first.
         * @description Those of a thread have one threadId.
         */
        get: operations["list_comments"];
        put?: never;
        /**
         * Comment on a record.
         * @description @[Name](usr_…) mentions and notifies a member.
         */
        post: operations["create_comment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/records/{recordId}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the changes of a record, newest first.
         * @description Works for deleted records.
         */
        get: operations["get_record_history"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tables/{tableId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a table with its fields and views.
         * @description Fields have types and options. query_records reads the records.
         */
        get: operations["describe_table"];
        put?: never;
        post?: never;
        /**
         * Delete a table with all its records.
         * @description Link fields of other tables that point here go too. restore brings all back. plan says what would go, with a planToken for apply.
         */
        delete: operations["delete_table"];
        options?: never;
        head?: never;
        /**
         * Change a table's name or icon.
         * @description Other members stay.
         */
        patch: operations["update_table"];
        trace?: never;
    };
    "/api/v1/tables/{tableId}/attachments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Upload a small file for use in records of the table.
         * @description Then write [{id}] to an attachment field. For files over 1 MB, POST the bytes to /api/v1/tables/{tableId}/uploads?name=…
         */
        post: operations["create_attachment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tables/{tableId}/comments/count": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count the comments on records of a table.
         * @description records are ids of the table, up to 100. Records without a thread that is not resolved are left out. Without records, it says whether any record of the table has comments.
         */
        get: operations["count_comments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tables/{tableId}/fields": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the fields of a table.
         * @description With types and options. Records are keyed by field name.
         */
        get: operations["list_fields"];
        put?: never;
        /**
         * Add a field to a table.
         * @description Existing records get an empty value. Durations are in seconds; 12.5 in a percent field means 12.5 %. Links and buttons are created in the application alone.
         */
        post: operations["create_field"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tables/{tableId}/formula/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check a formula without saving it.
         * @description Returns the type of its values and those of the first five records, or its mistakes, each with its place, what was expected there, and what may have been meant. docs/formulas.md describes the language.
         */
        post: operations["check_formula"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tables/{tableId}/indexes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the indexes of a table.
         * @description They are created when a large table is filtered, sorted or searched, and dropped when unused.
         */
        get: operations["list_indexes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tables/{tableId}/records": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the records of a table, filtered, sorted and paged.
         * @description With the exact total. A view applies its filters and sorts. eq on text is case-sensitive, contains is not. aggregate_records counts and sums.
         */
        get: operations["query_records"];
        put?: never;
        /**
         * Create up to 100 records, or upsert them.
         * @description All or none. Give fields for one record or records for several. With upsertOn, 1 to 3 field names, a record with the same values in them is updated instead; created and updated then list ids.
         */
        post: operations["create_records"];
        /**
         * Delete up to 100 records.
         * @description Deletes all or none. restore brings them back. plan and apply are as in update_records_where.
         */
        delete: operations["delete_records"];
        options?: never;
        head?: never;
        /**
         * Update up to 100 records.
         * @description Merges fields into each record, all or none; null or an empty string clears a field.
         */
        patch: operations["update_records"];
        trace?: never;
    };
    "/api/v1/tables/{tableId}/records/aggregate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Compute counts, sums, medians and the like, optionally in groups.
         * @description Results are keyed by function, such as sum(Price). A record with several links is in the group of each; weeks begin on Monday, and days are those of the field's time zone, else UTC.
         */
        get: operations["aggregate_records"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tables/{tableId}/records/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Stream the records of a table, or of a view or a filter, as CSV.
         * @description What POST on the same path answers in parts, without a bound.
         */
        get: operations["stream_records"];
        put?: never;
        /**
         * Export the records of a table, or of a view or a filter, as CSV of up to 5 MB.
         * @description The first line of each answer names the fields, and import_records takes it. Linked records are written by name, or by id where the name is not theirs alone; files by name, people by id. A text that a spreadsheet would run as a formula has an apostrophe in front, which an import takes away. What is cut continues with the cursor. GET on the same path streams everything as text/csv.
         */
        post: operations["export_records"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tables/{tableId}/records/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create or upsert records from CSV, up to 20,000 rows.
         * @description The first line names fields. Values are converted, and options of selects added; empty cells leave a field empty, or in an upsert as it is. A cell of a link names records by id or by primary value, separated by commas. If rows are refused, nothing is written, unless skipRefused leaves them out. With plan, the answer says what would be created, updated and refused, and has a planToken for apply unless the import would be refused. It is one change set.
         */
        post: operations["import_records"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tables/{tableId}/records/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find the records of a table that contain a text in any field.
         * @description Ignores case. query_records combines with filters and sorts.
         */
        get: operations["search_records"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tables/{tableId}/records/where": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete every record that the filters find, up to 10,000.
         * @description All or none, with plan and apply as in update_records_where. It is one change set, which revert_changes takes back.
         */
        delete: operations["delete_records_where"];
        options?: never;
        head?: never;
        /**
         * Set the same fields of every record that the filters find, up to 10,000.
         * @description All or none. With plan, the answer says how many records would be changed, shows some before and after, and has a planToken for apply: good for ten minutes, once, for this credential, and while none of those records has changed. It is one change set, which revert_changes takes back. Filters that let every record through are refused; a view stands for its records, even if it has no filters.
         */
        patch: operations["update_records_where"];
        trace?: never;
    };
    "/api/v1/tables/{tableId}/uploads": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Upload a file for use in records of the table.
         * @description The body is the content; its Content-Type is ignored. Then write [{"id": …}] to an attachment field of the table.
         */
        post: operations["upload_file"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tables/{tableId}/views": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the views of a table.
         * @description query_records applies the filters and sorts of one.
         */
        get: operations["list_views"];
        put?: never;
        /**
         * Create a view of a table.
         * @description Set its filters, sorts and layout with update_view.
         */
        post: operations["create_view"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/uploads": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the limits of file uploads. */
        get: operations["get_upload_limits"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/views/{viewId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get one view.
         * @description Returns its type and configuration.
         */
        get: operations["get_view"];
        put?: never;
        post?: never;
        /**
         * Delete a view.
         * @description restore brings it back. The last view of a table that everyone sees cannot be deleted. plan says what would go, with a planToken for apply.
         */
        delete: operations["delete_view"];
        options?: never;
        head?: never;
        /**
         * Change a view's name or configuration.
         * @description config sets the given keys and keeps the others: filters and sorts as in query_records, groupBy, hiddenFields, fieldOrder, rowHeight, columnWidths, coverFieldId, stackFieldId, startFieldId, endFieldId and form texts. unset removes keys.
         */
        patch: operations["update_view"];
        trace?: never;
    };
    "/api/v1/workspaces": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a workspace in an organization.
         * @description Returns its id, to create bases in.
         */
        post: operations["create_workspace"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workspaces/{workspaceId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete an empty workspace.
         * @description The default workspace cannot be deleted.
         */
        delete: operations["delete_workspace"];
        options?: never;
        head?: never;
        /**
         * Change a workspace's name, colour or icon.
         * @description Other members stay.
         */
        patch: operations["update_workspace"];
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Problem: {
            /** @description about:blank, for the title is the status's own */
            type: string;
            title: string;
            status: number;
            /** @description what was wrong and what would be right */
            detail: string;
            /** @description machine-readable */
            code: string;
            requestId: string;
            /** @description every scope that the call needs, for code insufficient_scope */
            scopes?: string[];
            /** @description where a person can do in the application what was refused */
            openInApp?: string;
            /** @description each wrong place in the input */
            errors?: {
                path: string;
                message: string;
            }[];
            /** @description for code version_changed, the record as it is now; for revert_conflict, the plan with its conflicts */
            current?: Record<string, unknown>;
        };
    };
    responses: {
        /** @description Bad Request */
        Problem400: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Unauthorized */
        Problem401: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Forbidden */
        Problem403: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Not Found */
        Problem404: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Method Not Allowed */
        Problem405: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Conflict */
        Problem409: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Gone */
        Problem410: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Precondition Failed */
        Problem412: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Request Entity Too Large */
        Problem413: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Unprocessable Entity */
        Problem422: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Too Many Requests */
        Problem429: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Internal Server Error */
        Problem500: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Service Unavailable */
        Problem503: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    list_bases: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        bases: {
                            id: string;
                            name: string;
                            workspaceId: null | string;
                            orgId: null | string;
                            icon?: {
                                /** @enum {string} */
                                kind: "emoji" | "lucide" | "image";
                                /** @description the emoji, the name of the lucide icon, or the https address of the image */
                                value: string;
                                /** @description a colour name, or # and six hexadecimal digits */
                                color?: string;
                            };
                        }[];
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    create_base: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your choice for this request, such as a UUID. If you send the request again with the same key within 24 hours, it is not executed again and you get the same response. */
                "Idempotency-Key"?: string;
                /** @description A name of your choice, or the id of a change set that you began. The requests of one credential with the same name within an hour are one change set, of up to 100,000 records. The response header Change-Set has its id. */
                "Change-Set"?: string;
            };
            path?: never;
            cookie?: never;
        };
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
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        name: string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    describe_base: {
        parameters: {
            query?: {
                /** @description names omits the configuration of fields and views except links and filters; default full */
                detail?: "names" | "full";
                /** @description only these tables */
                tableIds?: string[];
            };
            header?: never;
            path: {
                baseId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        name: string;
                        /** @description of the formulas, an IANA name */
                        timeZone: string;
                        tables: {
                            id: string;
                            name: string;
                            icon?: {
                                /** @enum {string} */
                                kind: "emoji" | "lucide" | "image";
                                /** @description the emoji, the name of the lucide icon, or the https address of the image */
                                value: string;
                                /** @description a colour name, or # and six hexadecimal digits */
                                color?: string;
                            };
                            fields: {
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
                                hidden?: boolean;
                                width?: number;
                                config?: {
                                    description?: string;
                                    required?: boolean;
                                    unique?: boolean;
                                    default?: unknown;
                                    options?: {
                                        name: string;
                                        color?: string;
                                    }[];
                                    precision?: number;
                                    symbol?: string;
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
                                };
                                /** @description why a computed field shows errors alone */
                                problem?: string;
                            }[];
                            views: {
                                id: string;
                                name: string;
                                type: string;
                                config: {
                                    [key: string]: unknown;
                                };
                                /** @description collaborative, personal or locked */
                                access?: string;
                                /** @description user id */
                                createdBy?: string;
                                /** @description what in config no longer matches the fields; if filters do not, the view shows nothing */
                                problems?: {
                                    path: string;
                                    message: string;
                                }[];
                            }[];
                        }[];
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    delete_base: {
        parameters: {
            query?: {
                /** @description planToken of a plan with the same arguments: do exactly that, or say what has moved */
                apply?: string;
                /** @description say what would happen, and change nothing */
                plan?: boolean;
            };
            header?: {
                /** @description A name of your choice, or the id of a change set that you began. The requests of one credential with the same name within an hour are one change set, of up to 100,000 records. The response header Change-Set has its id. */
                "Change-Set"?: string;
            };
            path: {
                baseId: string;
            };
            cookie?: never;
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
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description the id of what was deleted; empty in a plan */
                        deleted: string;
                        tables?: number;
                        records?: number;
                        lost?: number;
                        losses?: {
                            path: string;
                            message: string;
                        }[];
                        sample?: {
                            id: string;
                            before: {
                                [key: string]: unknown;
                            };
                            after?: {
                                [key: string]: unknown;
                            };
                        }[];
                        refusal?: string;
                        planToken?: string;
                        expiresAt?: string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    update_base: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your choice, or the id of a change set that you began. The requests of one credential with the same name within an hour are one change set, of up to 100,000 records. The response header Change-Set has its id. */
                "Change-Set"?: string;
            };
            path: {
                baseId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    name?: string;
                    icon?: {
                        /** @enum {string} */
                        kind: "emoji" | "lucide" | "image";
                        /** @description the emoji, the name of the lucide icon, or the https address of the image */
                        value: string;
                        /** @description a colour name, or # and six hexadecimal digits */
                        color?: string;
                    };
                    /** @description move the base to this workspace */
                    workspaceId?: string;
                    timeZone?: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    list_change_sets: {
        parameters: {
            query?: {
                credential?: string;
                cursor?: string;
                limit?: number;
                person?: string;
                since?: string;
                table?: string;
                /** @description RFC 3339 */
                until?: string;
            };
            header?: never;
            path: {
                baseId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        changeSets: {
                            id: string;
                            name: null | string;
                            firstTime: string;
                            lastTime: string;
                            person: null | {
                                id: string;
                                name: null | string;
                            };
                            credential: null | {
                                id: string;
                                kind?: string;
                                name?: string;
                            };
                            tables: {
                                id: string;
                                name: string;
                                inTrash?: boolean;
                                created: number;
                                updated: number;
                                deleted: number;
                                restored: number;
                                linked: number;
                            }[];
                            /** @description the first 20 */
                            schema: {
                                /** @description base, table, field, view, column or record */
                                object: string;
                                id: string;
                                name: string;
                                /** @description created, updated, deleted, restored or purged */
                                does: string;
                                /** @description properties */
                                changed?: string[];
                            }[];
                            schemaCount: number;
                            reverts: string[];
                            revertedBy: string[];
                        }[];
                        nextCursor: null | string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
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
            header?: never;
            path: {
                baseId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        changes: {
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
                            table: string | null;
                            thread?: string;
                            time: string;
                            version: number;
                        }[];
                        cursor: string;
                        hasMore: boolean;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            410: components["responses"]["Problem410"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    revert_changes: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your choice for this request, such as a UUID. If you send the request again with the same key within 24 hours, it is not executed again and you get the same response. */
                "Idempotency-Key"?: string;
                /** @description A name of your choice, or the id of a change set that you began. The requests of one credential with the same name within an hour are one change set, of up to 100,000 records. The response header Change-Set has its id. */
                "Change-Set"?: string;
            };
            path: {
                baseId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
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
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        dryRun?: boolean;
                        /** @description what is reverted, the first 100 */
                        changeSets: string[];
                        /** @description that change */
                        records: number;
                        tables: {
                            tableId: string;
                            updated: number;
                            /** @description that the change sets created */
                            deleted: number;
                            /** @description that they deleted */
                            restored: number;
                        }[];
                        /** @description tables, fields and views that change */
                        schema?: {
                            /** @description base, table, field or view */
                            object: string;
                            id: string;
                            name: string;
                            /** @description restored, removed or updated */
                            does: string;
                        }[];
                        conflictCount: number;
                        /** @description the first 100 */
                        conflicts: {
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
                            by?: {
                                userId?: string;
                                credential?: string;
                                changeSet: string;
                                at: string;
                            };
                        }[];
                        /** @description fields that are gone */
                        leftOut?: {
                            tableId: string;
                            /** @description its number in the log */
                            field: string;
                            records: number;
                        }[];
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    watch_base: {
        parameters: {
            query?: {
                /** @description where to begin; the header Last-Event-ID goes before it, and without both it is now */
                cursor?: string;
            };
            header?: never;
            path: {
                baseId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Server-sent events. ready, with {cursor}, is the first. Each change is an event change, with a change as in list_changes, and its cursor as the id. presence, with {present}, tells who is in the base, as in set_presence. end, with {reason}, is the last. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            410: components["responses"]["Problem410"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    set_presence: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your choice, or the id of a change set that you began. The requests of one credential with the same name within an hour are one change set, of up to 100,000 records. The response header Change-Set has its id. */
                "Change-Set"?: string;
            };
            path: {
                baseId: string;
            };
            cookie?: never;
        };
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
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description seconds after which it is forgotten; 0 if presence is not told now */
                        expiresIn: number;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    search_base: {
        parameters: {
            query: {
                limit?: number;
                q: string;
            };
            header?: never;
            path: {
                baseId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        results: {
                            id: string;
                            tableId: string;
                            table: string;
                            /** @description the primary value */
                            title: string;
                            /** @description the first other field in which a word was found */
                            snippet?: string;
                            /** @description found with one letter different, because nothing has the words as given */
                            typo?: boolean;
                            /** @description higher is better */
                            score: number;
                        }[];
                        /** @description of the base */
                        tables: number;
                        /** @description how many of them were searched; fewer if time ran out */
                        searched: number;
                        hasMore: boolean;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    get_public_share: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                baseId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description the secret part of the public URL, or null if sharing is disabled */
                        publicShareId: null | string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    set_public_share: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your choice, or the id of a change set that you began. The requests of one credential with the same name within an hour are one change set, of up to 100,000 records. The response header Change-Set has its id. */
                "Change-Set"?: string;
            };
            path: {
                baseId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    regenerate?: boolean;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description the secret part of the public URL, or null if sharing is disabled */
                        publicShareId: null | string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    disable_public_share: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your choice, or the id of a change set that you began. The requests of one credential with the same name within an hour are one change set, of up to 100,000 records. The response header Change-Set has its id. */
                "Change-Set"?: string;
            };
            path: {
                baseId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description the secret part of the public URL, or null if sharing is disabled */
                        publicShareId: null | string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    query_sql: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                baseId: string;
            };
            cookie?: never;
        };
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
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
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
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    list_tables: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                baseId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        tables: {
                            id: string;
                            name: string;
                            icon?: {
                                /** @enum {string} */
                                kind: "emoji" | "lucide" | "image";
                                /** @description the emoji, the name of the lucide icon, or the https address of the image */
                                value: string;
                                /** @description a colour name, or # and six hexadecimal digits */
                                color?: string;
                            };
                        }[];
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    create_table: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your choice for this request, such as a UUID. If you send the request again with the same key within 24 hours, it is not executed again and you get the same response. */
                "Idempotency-Key"?: string;
                /** @description A name of your choice, or the id of a change set that you began. The requests of one credential with the same name within an hour are one change set, of up to 100,000 records. The response header Change-Set has its id. */
                "Change-Set"?: string;
            };
            path: {
                baseId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    fields?: {
                        name: string;
                        /** @enum {string} */
                        type: "text" | "long_text" | "email" | "url" | "phone" | "number" | "currency" | "percent" | "rating" | "duration" | "checkbox" | "date" | "datetime" | "single_select" | "multi_select" | "user" | "attachment" | "json" | "link" | "formula" | "lookup" | "rollup" | "count" | "button" | "auto_number" | "created_time" | "last_modified_time" | "created_by" | "last_modified_by";
                        /** @description options [name] for selects, precision, symbol, max, format, timeZone, multiple; required, unique, default, description */
                        config?: Record<string, unknown>;
                    }[];
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        name: string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
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
            header?: never;
            path: {
                baseId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
                            id: string;
                            /** @description column: the former column of a field whose type was changed */
                            kind: string;
                            /** @description of a record its primary value */
                            name: string;
                            base?: {
                                id: string;
                                name: string;
                            };
                            table?: {
                                id: string;
                                name: string;
                            };
                            deletedAt: string;
                            deletedBy?: {
                                id: string;
                                name: string;
                            };
                            keptUntil: string;
                        }[];
                        nextCursor: null | string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    purge_trash: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your choice for this request, such as a UUID. If you send the request again with the same key within 24 hours, it is not executed again and you get the same response. */
                "Idempotency-Key"?: string;
                /** @description A name of your choice, or the id of a change set that you began. The requests of one credential with the same name within an hour are one change set, of up to 100,000 records. The response header Change-Set has its id. */
                "Change-Set"?: string;
            };
            path: {
                baseId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description ids from list_trash; records only with records of their table */
                    items: string[];
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        purged: string[];
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    restore: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your choice for this request, such as a UUID. If you send the request again with the same key within 24 hours, it is not executed again and you get the same response. */
                "Idempotency-Key"?: string;
                /** @description A name of your choice, or the id of a change set that you began. The requests of one credential with the same name within an hour are one change set, of up to 100,000 records. The response header Change-Set has its id. */
                "Change-Set"?: string;
            };
            path: {
                baseId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description ids from list_trash; records only with records of their table */
                    items: string[];
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        restored: {
                            id: string;
                            kind: string;
                            /** @description changed if it was taken */
                            name: string;
                            /** @description what did not come back, and why */
                            notes?: string[];
                        }[];
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    list_webhooks: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                baseId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        webhooks: {
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
                            filters: Record<string, unknown>[];
                            includeValues: boolean;
                            /** @description who made it, enabled it or changed more than its name last; it ends with their right to set up webhooks */
                            owner: {
                                id: string;
                                name: string;
                            };
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
                        }[];
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    create_webhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your choice for this request, such as a UUID. If you send the request again with the same key within 24 hours, it is not executed again and you get the same response. */
                "Idempotency-Key"?: string;
                /** @description A name of your choice, or the id of a change set that you began. The requests of one credential with the same name within an hour are one change set, of up to 100,000 records. The response header Change-Set has its id. */
                "Change-Set"?: string;
            };
            path: {
                baseId: string;
            };
            cookie?: never;
        };
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
                    /** @description conditions, all of which must hold: {fieldId, op, value}, {and: […]} or {or: […]}; fieldId is an id, a name, or of linked records a path such as Company.Country. op: eq neq contains not_contains starts_with ends_with in not_in gt gte lt lte between is_within has_any has_all has_none is_exactly is_empty is_not_empty */
                    filters?: Record<string, unknown>[];
                    /** @description send before and after */
                    includeValues?: boolean;
                    /** @description where to begin, earliest, or now; default now */
                    cursor?: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
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
                        filters: Record<string, unknown>[];
                        includeValues: boolean;
                        /** @description who made it, enabled it or changed more than its name last; it ends with their right to set up webhooks */
                        owner: {
                            id: string;
                            name: string;
                        };
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
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    get_webhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                baseId: string;
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
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
                        filters: Record<string, unknown>[];
                        includeValues: boolean;
                        /** @description who made it, enabled it or changed more than its name last; it ends with their right to set up webhooks */
                        owner: {
                            id: string;
                            name: string;
                        };
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
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    delete_webhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your choice, or the id of a change set that you began. The requests of one credential with the same name within an hour are one change set, of up to 100,000 records. The response header Change-Set has its id. */
                "Change-Set"?: string;
            };
            path: {
                baseId: string;
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description the id of what was deleted */
                        deleted: string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    update_webhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your choice, or the id of a change set that you began. The requests of one credential with the same name within an hour are one change set, of up to 100,000 records. The response header Change-Set has its id. */
                "Change-Set"?: string;
            };
            path: {
                baseId: string;
                webhookId: string;
            };
            cookie?: never;
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
                    /** @description conditions, all of which must hold: {fieldId, op, value}, {and: […]} or {or: […]}; fieldId is an id, a name, or of linked records a path such as Company.Country. op: eq neq contains not_contains starts_with ends_with in not_in gt gte lt lte between is_within has_any has_all has_none is_exactly is_empty is_not_empty */
                    filters?: Record<string, unknown>[];
                    includeValues?: boolean;
                    enabled?: boolean;
                    /** @description where to go on, earliest, or now */
                    cursor?: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
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
                        filters: Record<string, unknown>[];
                        includeValues: boolean;
                        /** @description who made it, enabled it or changed more than its name last; it ends with their right to set up webhooks */
                        owner: {
                            id: string;
                            name: string;
                        };
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
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    list_webhook_deliveries: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
                state?: "pending" | "delivered" | "failed";
            };
            header?: never;
            path: {
                baseId: string;
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        deliveries: {
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
                        }[];
                        nextCursor: null | string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    send_webhook_delivery: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your choice for this request, such as a UUID. If you send the request again with the same key within 24 hours, it is not executed again and you get the same response. */
                "Idempotency-Key"?: string;
                /** @description A name of your choice, or the id of a change set that you began. The requests of one credential with the same name within an hour are one change set, of up to 100,000 records. The response header Change-Set has its id. */
                "Change-Set"?: string;
            };
            path: {
                baseId: string;
                webhookId: string;
                deliveryId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    rotate_webhook_secret: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your choice for this request, such as a UUID. If you send the request again with the same key within 24 hours, it is not executed again and you get the same response. */
                "Idempotency-Key"?: string;
                /** @description A name of your choice, or the id of a change set that you began. The requests of one credential with the same name within an hour are one change set, of up to 100,000 records. The response header Change-Set has its id. */
                "Change-Set"?: string;
            };
            path: {
                baseId: string;
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description it is shown this once */
                        secret?: string;
                        /** @description until when messages are signed with the former secret as well */
                        oldSecretUntil: string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    get_comment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                commentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        threadId: string;
                        recordId: string;
                        author: {
                            id: string;
                            name: null | string;
                        };
                        credential: string;
                        text: string;
                        mentions: {
                            id: string;
                            name: null | string;
                        }[];
                        createdAt: string;
                        editedAt?: string;
                        deletedAt?: string;
                        resolvedAt?: string;
                        resolvedBy?: {
                            id: string;
                            name: string;
                        };
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    delete_comment: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your choice, or the id of a change set that you began. The requests of one credential with the same name within an hour are one change set, of up to 100,000 records. The response header Change-Set has its id. */
                "Change-Set"?: string;
            };
            path: {
                commentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description the id of what was deleted */
                        deleted: string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    update_comment: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your choice, or the id of a change set that you began. The requests of one credential with the same name within an hour are one change set, of up to 100,000 records. The response header Change-Set has its id. */
                "Change-Set"?: string;
            };
            path: {
                commentId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    text: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        threadId: string;
                        recordId: string;
                        author: {
                            id: string;
                            name: null | string;
                        };
                        credential: string;
                        text: string;
                        mentions: {
                            id: string;
                            name: null | string;
                        }[];
                        createdAt: string;
                        editedAt?: string;
                        deletedAt?: string;
                        resolvedAt?: string;
                        resolvedBy?: {
                            id: string;
                            name: string;
                        };
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    resolve_comment: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your choice, or the id of a change set that you began. The requests of one credential with the same name within an hour are one change set, of up to 100,000 records. The response header Change-Set has its id. */
                "Change-Set"?: string;
            };
            path: {
                commentId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    resolved: boolean;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        threadId: string;
                        recordId: string;
                        author: {
                            id: string;
                            name: null | string;
                        };
                        credential: string;
                        text: string;
                        mentions: {
                            id: string;
                            name: null | string;
                        }[];
                        createdAt: string;
                        editedAt?: string;
                        deletedAt?: string;
                        resolvedAt?: string;
                        resolvedBy?: {
                            id: string;
                            name: string;
                        };
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    list_field_types: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        fieldTypes: {
                            type: string;
                            title: string;
                            description: string;
                            /** @description JSON Schema of a value as it is read */
                            valueSchema: unknown;
                            /** @description JSON Schema of the config of a field of the type */
                            configSchema: unknown;
                            /** @description filter operators, in the order of menus */
                            operators: {
                                op: string;
                                /** @description the name of an operand */
                                operand: string;
                            }[];
                            /** @description functions of an aggregation */
                            aggregates: string[];
                            /** @description the service writes the values */
                            readOnly: boolean;
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
                        }[];
                        operands: {
                            name: string;
                            description: string;
                            /** @description JSON Schema of the value; absent where there is none */
                            schema?: unknown;
                        }[];
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    get_field: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                fieldId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
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
                        hidden?: boolean;
                        width?: number;
                        config?: {
                            description?: string;
                            required?: boolean;
                            unique?: boolean;
                            default?: unknown;
                            options?: {
                                name: string;
                                color?: string;
                            }[];
                            precision?: number;
                            symbol?: string;
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
                        };
                        /** @description why a computed field shows errors alone */
                        problem?: string;
                        /** @description fields that compute from it */
                        readBy?: {
                            id: string;
                            name: string;
                            tableId: string;
                        }[];
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    delete_field: {
        parameters: {
            query?: {
                /** @description planToken of a plan with the same arguments: do exactly that, or say what has moved */
                apply?: string;
                /** @description say what would happen, and change nothing */
                plan?: boolean;
            };
            header?: {
                /** @description A name of your choice, or the id of a change set that you began. The requests of one credential with the same name within an hour are one change set, of up to 100,000 records. The response header Change-Set has its id. */
                "Change-Set"?: string;
            };
            path: {
                fieldId: string;
            };
            cookie?: never;
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
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description the id of what was deleted; empty in a plan */
                        deleted: string;
                        tables?: number;
                        records?: number;
                        lost?: number;
                        losses?: {
                            path: string;
                            message: string;
                        }[];
                        sample?: {
                            id: string;
                            before: {
                                [key: string]: unknown;
                            };
                            after?: {
                                [key: string]: unknown;
                            };
                        }[];
                        refusal?: string;
                        planToken?: string;
                        expiresAt?: string;
                        /** @description fields that compute from it and show errors until it is restored */
                        broken?: {
                            id: string;
                            name: string;
                            tableId: string;
                        }[];
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    update_field: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your choice, or the id of a change set that you began. The requests of one credential with the same name within an hour are one change set, of up to 100,000 records. The response header Change-Set has its id. */
                "Change-Set"?: string;
            };
            path: {
                fieldId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    name?: string;
                    /** @description as in create_field; values are converted */
                    type?: string;
                    /** @description keys to change; null resets a key. Give all options; {name, previousName} renames one */
                    config?: Record<string, unknown>;
                    hidden?: boolean;
                    /** @description in pixels */
                    width?: number;
                    position?: number;
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
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        tables?: number;
                        records?: number;
                        lost?: number;
                        losses?: {
                            path: string;
                            message: string;
                        }[];
                        sample?: {
                            id: string;
                            before: {
                                [key: string]: unknown;
                            };
                            after?: {
                                [key: string]: unknown;
                            };
                        }[];
                        refusal?: string;
                        planToken?: string;
                        expiresAt?: string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
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
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
                            id: string;
                            /** @description mention or reply */
                            reason: string;
                            createdAt: string;
                            readAt: null | string;
                            orgId: string;
                            base: {
                                id: string;
                                name: string;
                            };
                            table: {
                                id: string;
                                name: string;
                            };
                            record: {
                                id: string;
                                name: string;
                            };
                            comment: {
                                id: string;
                                threadId: string;
                                recordId: string;
                                author: {
                                    id: string;
                                    name: null | string;
                                };
                                credential: string;
                                text: string;
                                mentions: {
                                    id: string;
                                    name: null | string;
                                }[];
                                createdAt: string;
                                editedAt?: string;
                                deletedAt?: string;
                                resolvedAt?: string;
                                resolvedBy?: {
                                    id: string;
                                    name: string;
                                };
                            };
                        }[];
                        /** @description at most 100, of all pages */
                        unread: number;
                        nextCursor: null | string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    get_me: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description the user's id */
                        id: string;
                        /**
                         * @description the kind of credential
                         * @enum {string}
                         */
                        kind: "api_key" | "oauth" | "session";
                        /** @description the scopes granted to the credential */
                        scopes: string[];
                        orgs: {
                            orgId: string;
                            /** @description owner, admin, editor or viewer */
                            role: string;
                        }[];
                        /** @description the bases that the credential can access */
                        bases: {
                            id: string;
                            name: string;
                            workspaceId: null | string;
                            orgId: null | string;
                            icon?: {
                                /** @enum {string} */
                                kind: "emoji" | "lucide" | "image";
                                /** @description the emoji, the name of the lucide icon, or the https address of the image */
                                value: string;
                                /** @description a colour name, or # and six hexadecimal digits */
                                color?: string;
                            };
                        }[];
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    list_orgs: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        orgs: {
                            id: string;
                            name: string;
                            /** @description your role: owner, admin, editor or viewer */
                            role: string;
                        }[];
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    create_org: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your choice for this request, such as a UUID. If you send the request again with the same key within 24 hours, it is not executed again and you get the same response. */
                "Idempotency-Key"?: string;
                /** @description A name of your choice, or the id of a change set that you began. The requests of one credential with the same name within an hour are one change set, of up to 100,000 records. The response header Change-Set has its id. */
                "Change-Set"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        name: string;
                        /** @description your role: owner, admin, editor or viewer */
                        role: string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    get_org: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                orgId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        name: string;
                        /** @description your role: owner, admin, editor or viewer */
                        role: string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    delete_org: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your choice, or the id of a change set that you began. The requests of one credential with the same name within an hour are one change set, of up to 100,000 records. The response header Change-Set has its id. */
                "Change-Set"?: string;
            };
            path: {
                orgId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description the id of what was deleted */
                        deleted: string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    update_org: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your choice, or the id of a change set that you began. The requests of one credential with the same name within an hour are one change set, of up to 100,000 records. The response header Change-Set has its id. */
                "Change-Set"?: string;
            };
            path: {
                orgId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
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
            header?: never;
            path: {
                orgId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        events: {
                            id: string;
                            time: string;
                            userId: null | string;
                            userName: null | string;
                            credentialKind?: string;
                            credentialId?: string;
                            requestId?: string;
                            action: string;
                            subject: string;
                            detail: Record<string, unknown>;
                            changeSet?: string;
                        }[];
                        nextCursor: null | string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    mark_inbox_read: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your choice for this request, such as a UUID. If you send the request again with the same key within 24 hours, it is not executed again and you get the same response. */
                "Idempotency-Key"?: string;
                /** @description A name of your choice, or the id of a change set that you began. The requests of one credential with the same name within an hour are one change set, of up to 100,000 records. The response header Change-Set has its id. */
                "Change-Set"?: string;
            };
            path: {
                orgId: string;
            };
            cookie?: never;
        };
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
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        orgId: string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    list_invitations: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                orgId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        invitations: {
                            id: string;
                            email: string;
                            /** @description owner, admin, editor or viewer */
                            role: string;
                            createdAt: string;
                            expiresAt: string;
                        }[];
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    invite_member: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your choice for this request, such as a UUID. If you send the request again with the same key within 24 hours, it is not executed again and you get the same response. */
                "Idempotency-Key"?: string;
                /** @description A name of your choice, or the id of a change set that you began. The requests of one credential with the same name within an hour are one change set, of up to 100,000 records. The response header Change-Set has its id. */
                "Change-Set"?: string;
            };
            path: {
                orgId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    email: string;
                    /**
                     * @description default viewer
                     * @enum {string}
                     */
                    role?: "viewer" | "editor" | "admin" | "owner";
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        email: string;
                        /** @description owner, admin, editor or viewer */
                        role: string;
                        createdAt: string;
                        expiresAt: string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    revoke_invitation: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your choice, or the id of a change set that you began. The requests of one credential with the same name within an hour are one change set, of up to 100,000 records. The response header Change-Set has its id. */
                "Change-Set"?: string;
            };
            path: {
                orgId: string;
                invitationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description the id of what was deleted */
                        deleted: string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    leave_org: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your choice for this request, such as a UUID. If you send the request again with the same key within 24 hours, it is not executed again and you get the same response. */
                "Idempotency-Key"?: string;
                /** @description A name of your choice, or the id of a change set that you began. The requests of one credential with the same name within an hour are one change set, of up to 100,000 records. The response header Change-Set has its id. */
                "Change-Set"?: string;
            };
            path: {
                orgId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description the id of what was deleted */
                        deleted: string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    list_members: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                orgId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        members: {
                            userId: string;
                            name: string;
                            email: string;
                            /** @description owner, admin, editor or viewer */
                            role: string;
                            /** @description when the person became a member */
                            since: string;
                        }[];
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    remove_member: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your choice, or the id of a change set that you began. The requests of one credential with the same name within an hour are one change set, of up to 100,000 records. The response header Change-Set has its id. */
                "Change-Set"?: string;
            };
            path: {
                orgId: string;
                userId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description the id of what was deleted */
                        deleted: string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    set_member_role: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your choice, or the id of a change set that you began. The requests of one credential with the same name within an hour are one change set, of up to 100,000 records. The response header Change-Set has its id. */
                "Change-Set"?: string;
            };
            path: {
                orgId: string;
                userId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    role: "viewer" | "editor" | "admin" | "owner";
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    get_notifications: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                orgId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description in the application */
                        inbox: boolean;
                        mail: boolean;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    set_notifications: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your choice, or the id of a change set that you began. The requests of one credential with the same name within an hour are one change set, of up to 100,000 records. The response header Change-Set has its id. */
                "Change-Set"?: string;
            };
            path: {
                orgId: string;
            };
            cookie?: never;
        };
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
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description in the application */
                        inbox: boolean;
                        mail: boolean;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    get_retention: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                orgId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description how long deleted things can be restored */
                        trashDays: number;
                        /** @description how long history is kept at least */
                        historyDays: number;
                        /** @description what the history takes on disk */
                        historyBytes: number;
                        /** @description from when the history reaches */
                        historySince: null | string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    list_org_trash: {
        parameters: {
            query?: {
                cursor?: string;
                /** @description record, table, field, view, column, base */
                kinds?: string[];
                limit?: number;
            };
            header?: never;
            path: {
                orgId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
                            id: string;
                            /** @description column: the former column of a field whose type was changed */
                            kind: string;
                            /** @description of a record its primary value */
                            name: string;
                            base?: {
                                id: string;
                                name: string;
                            };
                            table?: {
                                id: string;
                                name: string;
                            };
                            deletedAt: string;
                            deletedBy?: {
                                id: string;
                                name: string;
                            };
                            keptUntil: string;
                        }[];
                        nextCursor: null | string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    purge_bases: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your choice for this request, such as a UUID. If you send the request again with the same key within 24 hours, it is not executed again and you get the same response. */
                "Idempotency-Key"?: string;
                /** @description A name of your choice, or the id of a change set that you began. The requests of one credential with the same name within an hour are one change set, of up to 100,000 records. The response header Change-Set has its id. */
                "Change-Set"?: string;
            };
            path: {
                orgId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description ids from list_trash; records only with records of their table */
                    items: string[];
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        purged: string[];
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    restore_bases: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your choice for this request, such as a UUID. If you send the request again with the same key within 24 hours, it is not executed again and you get the same response. */
                "Idempotency-Key"?: string;
                /** @description A name of your choice, or the id of a change set that you began. The requests of one credential with the same name within an hour are one change set, of up to 100,000 records. The response header Change-Set has its id. */
                "Change-Set"?: string;
            };
            path: {
                orgId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description ids from list_trash; records only with records of their table */
                    items: string[];
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        restored: {
                            id: string;
                            kind: string;
                            /** @description changed if it was taken */
                            name: string;
                            /** @description what did not come back, and why */
                            notes?: string[];
                        }[];
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    list_workspaces: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                orgId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        workspaces: {
                            id: string;
                            name: string;
                            color: string;
                            icon?: {
                                /** @enum {string} */
                                kind: "emoji" | "lucide" | "image";
                                /** @description the emoji, the name of the lucide icon, or the https address of the image */
                                value: string;
                                /** @description a colour name, or # and six hexadecimal digits */
                                color?: string;
                            };
                        }[];
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    get_record: {
        parameters: {
            query?: {
                /** @description RFC 3339 time or chs_ id */
                asOf?: string;
            };
            header?: never;
            path: {
                recordId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        createdTime?: string;
                        fields: Record<string, unknown>;
                        id: string;
                        version?: number;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    delete_record: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your choice, or the id of a change set that you began. The requests of one credential with the same name within an hour are one change set, of up to 100,000 records. The response header Change-Set has its id. */
                "Change-Set"?: string;
            };
            path: {
                recordId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        deleted: string[];
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    update_record: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your choice, or the id of a change set that you began. The requests of one credential with the same name within an hour are one change set, of up to 100,000 records. The response header Change-Set has its id. */
                "Change-Set"?: string;
            };
            path: {
                recordId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description values by field name */
                    fields: Record<string, unknown>;
                    typecast?: boolean;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        createdTime?: string;
                        fields: Record<string, unknown>;
                        id: string;
                        version?: number;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
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
            header?: never;
            path: {
                recordId: string;
                attachmentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
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
                        image?: {
                            type: string;
                            width: number;
                            height: number;
                            /** @description base64 */
                            data?: number[];
                        };
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    list_comments: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path: {
                recordId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        comments: {
                            id: string;
                            threadId: string;
                            recordId: string;
                            author: {
                                id: string;
                                name: null | string;
                            };
                            credential: string;
                            text: string;
                            mentions: {
                                id: string;
                                name: null | string;
                            }[];
                            createdAt: string;
                            editedAt?: string;
                            deletedAt?: string;
                            resolvedAt?: string;
                            resolvedBy?: {
                                id: string;
                                name: string;
                            };
                        }[];
                        nextCursor: null | string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    create_comment: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your choice for this request, such as a UUID. If you send the request again with the same key within 24 hours, it is not executed again and you get the same response. */
                "Idempotency-Key"?: string;
                /** @description A name of your choice, or the id of a change set that you began. The requests of one credential with the same name within an hour are one change set, of up to 100,000 records. The response header Change-Set has its id. */
                "Change-Set"?: string;
            };
            path: {
                recordId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    text: string;
                    replyTo?: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        threadId: string;
                        recordId: string;
                        author: {
                            id: string;
                            name: null | string;
                        };
                        credential: string;
                        text: string;
                        mentions: {
                            id: string;
                            name: null | string;
                        }[];
                        createdAt: string;
                        editedAt?: string;
                        deletedAt?: string;
                        resolvedAt?: string;
                        resolvedBy?: {
                            id: string;
                            name: string;
                        };
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    get_record_history: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
                /** @description with all fields after each change */
                state?: boolean;
            };
            header?: never;
            path: {
                recordId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        complete: boolean;
                        entries: {
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
                        }[];
                        nextCursor: string | null;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    describe_table: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                tableId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        name: string;
                        icon?: {
                            /** @enum {string} */
                            kind: "emoji" | "lucide" | "image";
                            /** @description the emoji, the name of the lucide icon, or the https address of the image */
                            value: string;
                            /** @description a colour name, or # and six hexadecimal digits */
                            color?: string;
                        };
                        fields: {
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
                            hidden?: boolean;
                            width?: number;
                            config?: {
                                description?: string;
                                required?: boolean;
                                unique?: boolean;
                                default?: unknown;
                                options?: {
                                    name: string;
                                    color?: string;
                                }[];
                                precision?: number;
                                symbol?: string;
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
                            };
                            /** @description why a computed field shows errors alone */
                            problem?: string;
                        }[];
                        views: {
                            id: string;
                            name: string;
                            type: string;
                            config: {
                                [key: string]: unknown;
                            };
                            /** @description collaborative, personal or locked */
                            access?: string;
                            /** @description user id */
                            createdBy?: string;
                            /** @description what in config no longer matches the fields; if filters do not, the view shows nothing */
                            problems?: {
                                path: string;
                                message: string;
                            }[];
                        }[];
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    delete_table: {
        parameters: {
            query?: {
                /** @description planToken of a plan with the same arguments: do exactly that, or say what has moved */
                apply?: string;
                /** @description say what would happen, and change nothing */
                plan?: boolean;
            };
            header?: {
                /** @description A name of your choice, or the id of a change set that you began. The requests of one credential with the same name within an hour are one change set, of up to 100,000 records. The response header Change-Set has its id. */
                "Change-Set"?: string;
            };
            path: {
                tableId: string;
            };
            cookie?: never;
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
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description the id of what was deleted; empty in a plan */
                        deleted: string;
                        tables?: number;
                        records?: number;
                        lost?: number;
                        losses?: {
                            path: string;
                            message: string;
                        }[];
                        sample?: {
                            id: string;
                            before: {
                                [key: string]: unknown;
                            };
                            after?: {
                                [key: string]: unknown;
                            };
                        }[];
                        refusal?: string;
                        planToken?: string;
                        expiresAt?: string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    update_table: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your choice, or the id of a change set that you began. The requests of one credential with the same name within an hour are one change set, of up to 100,000 records. The response header Change-Set has its id. */
                "Change-Set"?: string;
            };
            path: {
                tableId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    name?: string;
                    icon?: {
                        /** @enum {string} */
                        kind: "emoji" | "lucide" | "image";
                        /** @description the emoji, the name of the lucide icon, or the https address of the image */
                        value: string;
                        /** @description a colour name, or # and six hexadecimal digits */
                        color?: string;
                    };
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    create_attachment: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your choice for this request, such as a UUID. If you send the request again with the same key within 24 hours, it is not executed again and you get the same response. */
                "Idempotency-Key"?: string;
                /** @description A name of your choice, or the id of a change set that you began. The requests of one credential with the same name within an hour are one change set, of up to 100,000 records. The response header Change-Set has its id. */
                "Change-Set"?: string;
            };
            path: {
                tableId: string;
            };
            cookie?: never;
        };
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
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        name: string;
                        size: number;
                        type: string;
                        width?: number;
                        height?: number;
                        url: string;
                        thumbnailUrl?: string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    count_comments: {
        parameters: {
            query?: {
                records?: string[];
            };
            header?: never;
            path: {
                tableId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description whether any record of the table has comments */
                        any: boolean;
                        counts: {
                            recordId: string;
                            /** @description that are not resolved */
                            threads: number;
                            /** @description in these threads, without deleted ones */
                            comments: number;
                            /** @description the latest of these threads */
                            threadId: string;
                        }[];
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    list_fields: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                tableId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        fields: {
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
                            hidden?: boolean;
                            width?: number;
                            config?: {
                                description?: string;
                                required?: boolean;
                                unique?: boolean;
                                default?: unknown;
                                options?: {
                                    name: string;
                                    color?: string;
                                }[];
                                precision?: number;
                                symbol?: string;
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
                            };
                            /** @description why a computed field shows errors alone */
                            problem?: string;
                        }[];
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    create_field: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your choice for this request, such as a UUID. If you send the request again with the same key within 24 hours, it is not executed again and you get the same response. */
                "Idempotency-Key"?: string;
                /** @description A name of your choice, or the id of a change set that you began. The requests of one credential with the same name within an hour are one change set, of up to 100,000 records. The response header Change-Set has its id. */
                "Change-Set"?: string;
            };
            path: {
                tableId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    /** @enum {string} */
                    type: "text" | "long_text" | "email" | "url" | "phone" | "number" | "currency" | "percent" | "rating" | "duration" | "checkbox" | "date" | "datetime" | "single_select" | "multi_select" | "user" | "attachment" | "json" | "link" | "formula" | "lookup" | "rollup" | "count" | "button" | "auto_number" | "created_time" | "last_modified_time" | "created_by" | "last_modified_by";
                    /** @description options [name] for selects, precision, symbol, max, format, timeZone, multiple; required, unique, default, description */
                    config?: Record<string, unknown>;
                    /** @description from 1; 0 is the primary field; default the end */
                    position?: number;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        name: string;
                        type: string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    check_formula: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                tableId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description as in IF({Price} > 10, "high", "low") */
                    formula: string;
                    /** @description the field that is to get the formula; absent for a new one */
                    fieldId?: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description of the values: number, text, boolean, date, datetime, or list of one of these; absent if there are problems */
                        type?: string;
                        /** @description values depend on the time, or on names that stand elsewhere, and are computed whenever they are read */
                        volatile?: boolean;
                        /** @description mistakes in the order of their places; lines and columns begin at 1 and count characters */
                        problems: {
                            line: number;
                            column: number;
                            length: number;
                            message: string;
                        }[];
                        /** @description of the first five records of the table */
                        values: {
                            recordId: string;
                            /** @description as in the fields of the record */
                            value: unknown;
                        }[];
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    list_indexes: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                tableId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        indexes: {
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
                        }[];
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    query_records: {
        parameters: {
            query?: {
                /** @description RFC 3339 time or chs_ id */
                asOf?: string;
                cursor?: string;
                /** @description names or ids of the fields to return; default all */
                fields?: string[];
                /** @description conditions, all of which must hold: {fieldId, op, value}, {and: […]} or {or: […]}; fieldId is an id, a name, or of linked records a path such as Company.Country. op: eq neq contains not_contains starts_with ends_with in not_in gt gte lt lte between is_within has_any has_all has_none is_exactly is_empty is_not_empty */
                filters?: string;
                limit?: number;
                /** @description records to skip; use cursor for deep pages */
                offset?: number;
                /** @description text that any field contains, ignoring case */
                search?: string;
                /** @description [{fieldId, dir}], dir asc or desc; empty values last */
                sorts?: string;
                /** @description view id */
                view?: string;
            };
            header?: never;
            path: {
                tableId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        cursor?: string;
                        hasMore: boolean;
                        limit: number;
                        offset: number;
                        records: {
                            createdTime?: string;
                            fields: Record<string, unknown>;
                            id: string;
                            version?: number;
                        }[];
                        total: number;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    create_records: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your choice for this request, such as a UUID. If you send the request again with the same key within 24 hours, it is not executed again and you get the same response. */
                "Idempotency-Key"?: string;
                /** @description A name of your choice, or the id of a change set that you began. The requests of one credential with the same name within an hour are one change set, of up to 100,000 records. The response header Change-Set has its id. */
                "Change-Set"?: string;
            };
            path: {
                tableId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description values by field name */
                    fields?: Record<string, unknown>;
                    records?: {
                        /** @description values by field name */
                        fields: Record<string, unknown>;
                    }[];
                    /** @description names of the fields to match on */
                    upsertOn?: string[];
                    /** @description convert values of other types, and add select options */
                    typecast?: boolean;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        created?: string[];
                        records: {
                            createdTime?: string;
                            fields: Record<string, unknown>;
                            id: string;
                            version?: number;
                        }[];
                        updated?: string[];
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
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
            header?: {
                /** @description A name of your choice, or the id of a change set that you began. The requests of one credential with the same name within an hour are one change set, of up to 100,000 records. The response header Change-Set has its id. */
                "Change-Set"?: string;
            };
            path: {
                tableId: string;
            };
            cookie?: never;
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
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description empty in a plan */
                        deleted: string[];
                        /** @description how many a plan would delete */
                        count?: number;
                        sample?: {
                            id: string;
                            before: {
                                [key: string]: unknown;
                            };
                            after?: {
                                [key: string]: unknown;
                            };
                        }[];
                        planToken?: string;
                        expiresAt?: string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    update_records: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your choice, or the id of a change set that you began. The requests of one credential with the same name within an hour are one change set, of up to 100,000 records. The response header Change-Set has its id. */
                "Change-Set"?: string;
            };
            path: {
                tableId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    records: {
                        id: string;
                        /** @description only if the record has it */
                        version?: number;
                        /** @description values by field name */
                        fields: Record<string, unknown>;
                    }[];
                    typecast?: boolean;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        created?: string[];
                        records: {
                            createdTime?: string;
                            fields: Record<string, unknown>;
                            id: string;
                            version?: number;
                        }[];
                        updated?: string[];
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
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
            header?: never;
            path: {
                tableId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        groups: {
                            key: Record<string, unknown>;
                            results: Record<string, unknown>;
                        }[];
                        hasMore: boolean;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
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
            };
            header?: never;
            path: {
                tableId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description CSV (RFC 4180) in UTF-8. The first line names the fields. A connection that ends before its last chunk is an export that failed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    export_records: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                tableId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description view id */
                    view?: string;
                    search?: string;
                    /** @description conditions, all of which must hold: {fieldId, op, value}, {and: […]} or {or: […]}; fieldId is an id, a name, or of linked records a path such as Company.Country. op: eq neq contains not_contains starts_with ends_with in not_in gt gte lt lte between is_within has_any has_all has_none is_exactly is_empty is_not_empty */
                    filters?: Record<string, unknown>[];
                    /** @description [{fieldId, dir}], dir asc or desc; empty values last */
                    sorts?: Record<string, unknown>[];
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
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        csv: string;
                        /** @description in csv, without the line of names */
                        rows: number;
                        total: number;
                        hasMore: boolean;
                        cursor?: string;
                        /** @description cells with an apostrophe in front, which spreadsheets would run */
                        guarded?: number;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    import_records: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your choice for this request, such as a UUID. If you send the request again with the same key within 24 hours, it is not executed again and you get the same response. */
                "Idempotency-Key"?: string;
                /** @description A name of your choice, or the id of a change set that you began. The requests of one credential with the same name within an hour are one change set, of up to 100,000 records. The response header Change-Set has its id. */
                "Change-Set"?: string;
            };
            path: {
                tableId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    csv: string;
                    /** @description names of the fields to match on */
                    upsertOn?: string[];
                    /** @description leave out rows that do not fit */
                    skipRefused?: boolean;
                    /** @description say what would happen, and change nothing */
                    plan?: boolean;
                    /** @description planToken of a plan with the same arguments: do exactly that, or say what has moved */
                    apply?: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        created: number;
                        updated: number;
                        refused: number;
                        refusals?: {
                            line: number;
                            column?: number;
                            field?: string;
                            message: string;
                        }[];
                        newOptions?: string[];
                        ignoredFields?: string[];
                        planToken?: string;
                        expiresAt?: string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    search_records: {
        parameters: {
            query: {
                /** @description RFC 3339 time or chs_ id */
                asOf?: string;
                cursor?: string;
                limit?: number;
                /** @description records to skip; use cursor for deep pages */
                offset?: number;
                q: string;
            };
            header?: never;
            path: {
                tableId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        cursor?: string;
                        hasMore: boolean;
                        limit: number;
                        offset: number;
                        records: {
                            createdTime?: string;
                            fields: Record<string, unknown>;
                            id: string;
                            version?: number;
                        }[];
                        total: number;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
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
            header?: {
                /** @description A name of your choice, or the id of a change set that you began. The requests of one credential with the same name within an hour are one change set, of up to 100,000 records. The response header Change-Set has its id. */
                "Change-Set"?: string;
            };
            path: {
                tableId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description conditions, all of which must hold: {fieldId, op, value}, {and: […]} or {or: […]}; fieldId is an id, a name, or of linked records a path such as Company.Country. op: eq neq contains not_contains starts_with ends_with in not_in gt gte lt lte between is_within has_any has_all has_none is_exactly is_empty is_not_empty */
                    filters?: Record<string, unknown>[];
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
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        count: number;
                        sample?: {
                            id: string;
                            before: {
                                [key: string]: unknown;
                            };
                            after?: {
                                [key: string]: unknown;
                            };
                        }[];
                        newOptions?: string[];
                        planToken?: string;
                        expiresAt?: string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    update_records_where: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your choice, or the id of a change set that you began. The requests of one credential with the same name within an hour are one change set, of up to 100,000 records. The response header Change-Set has its id. */
                "Change-Set"?: string;
            };
            path: {
                tableId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description conditions, all of which must hold: {fieldId, op, value}, {and: […]} or {or: […]}; fieldId is an id, a name, or of linked records a path such as Company.Country. op: eq neq contains not_contains starts_with ends_with in not_in gt gte lt lte between is_within has_any has_all has_none is_exactly is_empty is_not_empty */
                    filters?: Record<string, unknown>[];
                    view?: string;
                    search?: string;
                    /** @description values by field name */
                    fields: Record<string, unknown>;
                    typecast?: boolean;
                    /** @description say what would happen, and change nothing */
                    plan?: boolean;
                    /** @description planToken of a plan with the same arguments: do exactly that, or say what has moved */
                    apply?: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        count: number;
                        sample?: {
                            id: string;
                            before: {
                                [key: string]: unknown;
                            };
                            after?: {
                                [key: string]: unknown;
                            };
                        }[];
                        newOptions?: string[];
                        planToken?: string;
                        expiresAt?: string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    upload_file: {
        parameters: {
            query: {
                name: string;
            };
            header?: never;
            path: {
                tableId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "*/*": string;
            };
        };
        responses: {
            /** @description The file is stored for a day, and after that as long as a record contains it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        name: string;
                        size: number;
                        type: string;
                        width?: number;
                        height?: number;
                        url: string;
                        thumbnailUrl?: string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    list_views: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                tableId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        views: {
                            id: string;
                            name: string;
                            type: string;
                            config: {
                                [key: string]: unknown;
                            };
                            /** @description collaborative, personal or locked */
                            access?: string;
                            /** @description user id */
                            createdBy?: string;
                            /** @description what in config no longer matches the fields; if filters do not, the view shows nothing */
                            problems?: {
                                path: string;
                                message: string;
                            }[];
                        }[];
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    create_view: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your choice for this request, such as a UUID. If you send the request again with the same key within 24 hours, it is not executed again and you get the same response. */
                "Idempotency-Key"?: string;
                /** @description A name of your choice, or the id of a change set that you began. The requests of one credential with the same name within an hour are one change set, of up to 100,000 records. The response header Change-Set has its id. */
                "Change-Set"?: string;
            };
            path: {
                tableId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    type: "grid" | "gallery" | "kanban" | "calendar" | "form";
                    name?: string;
                    /**
                     * @description personal: only its creator and admins see it; locked: only admins change it
                     * @enum {string}
                     */
                    access?: "collaborative" | "personal" | "locked";
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        name: string;
                        type: string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    get_upload_limits: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description maximum size of a file */
                        maxBytes: number;
                        /** @description accepted media types, such as image/*; empty means all */
                        types: string[];
                    };
                };
            };
            400: components["responses"]["Problem400"];
        };
    };
    get_view: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                viewId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        name: string;
                        type: string;
                        config: {
                            [key: string]: unknown;
                        };
                        /** @description collaborative, personal or locked */
                        access?: string;
                        /** @description user id */
                        createdBy?: string;
                        /** @description what in config no longer matches the fields; if filters do not, the view shows nothing */
                        problems?: {
                            path: string;
                            message: string;
                        }[];
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    delete_view: {
        parameters: {
            query?: {
                /** @description planToken of a plan with the same arguments: do exactly that, or say what has moved */
                apply?: string;
                /** @description say what would happen, and change nothing */
                plan?: boolean;
            };
            header?: {
                /** @description A name of your choice, or the id of a change set that you began. The requests of one credential with the same name within an hour are one change set, of up to 100,000 records. The response header Change-Set has its id. */
                "Change-Set"?: string;
            };
            path: {
                viewId: string;
            };
            cookie?: never;
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
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description the id of what was deleted; empty in a plan */
                        deleted: string;
                        tables?: number;
                        records?: number;
                        lost?: number;
                        losses?: {
                            path: string;
                            message: string;
                        }[];
                        sample?: {
                            id: string;
                            before: {
                                [key: string]: unknown;
                            };
                            after?: {
                                [key: string]: unknown;
                            };
                        }[];
                        refusal?: string;
                        planToken?: string;
                        expiresAt?: string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    update_view: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your choice, or the id of a change set that you began. The requests of one credential with the same name within an hour are one change set, of up to 100,000 records. The response header Change-Set has its id. */
                "Change-Set"?: string;
            };
            path: {
                viewId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    name?: string;
                    config?: {
                        [key: string]: unknown;
                    };
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
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    create_workspace: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your choice for this request, such as a UUID. If you send the request again with the same key within 24 hours, it is not executed again and you get the same response. */
                "Idempotency-Key"?: string;
                /** @description A name of your choice, or the id of a change set that you began. The requests of one credential with the same name within an hour are one change set, of up to 100,000 records. The response header Change-Set has its id. */
                "Change-Set"?: string;
            };
            path?: never;
            cookie?: never;
        };
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
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        name: string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    delete_workspace: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your choice, or the id of a change set that you began. The requests of one credential with the same name within an hour are one change set, of up to 100,000 records. The response header Change-Set has its id. */
                "Change-Set"?: string;
            };
            path: {
                workspaceId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description the id of what was deleted */
                        deleted: string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    update_workspace: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your choice, or the id of a change set that you began. The requests of one credential with the same name within an hour are one change set, of up to 100,000 records. The response header Change-Set has its id. */
                "Change-Set"?: string;
            };
            path: {
                workspaceId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    name?: string;
                    color?: string;
                    icon?: {
                        /** @enum {string} */
                        kind: "emoji" | "lucide" | "image";
                        /** @description the emoji, the name of the lucide icon, or the https address of the image */
                        value: string;
                        /** @description a colour name, or # and six hexadecimal digits */
                        color?: string;
                    };
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
}
