-- Writes of queue items.

-- Counts, moves and notifications of each statement. perdure_queue carries `<workspace> <queue> <due>`: items are ready
-- (`due` is empty), or the first is at that time (epoch ms), perhaps the end of a lease.
CREATE FUNCTION queue_items_inserted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO queue_item_texts (item_id, workspace_id, queue_id, text)
  SELECT n.id, n.workspace_id, n.queue_id, queue_item_text(n.external_id, n.data, n.metadata) FROM new_items n;
  INSERT INTO queue_item_counts (workspace_id, queue_id, status, band, items, retried, processed, processing_ms)
  SELECT n.workspace_id, n.queue_id, n.status, queue_item_band(n.priority), count(*),
    count(*) FILTER (WHERE n.retry_count > 0),
    count(milliseconds_between(n.processing_started_at, n.processing_completed_at)),
    coalesce(sum(milliseconds_between(n.processing_started_at, n.processing_completed_at)), 0)
  FROM new_items n GROUP BY 1, 2, 3, 4;
  INSERT INTO queue_item_ends (workspace_id, queue_id, status, bucket, items)
  SELECT n.workspace_id, n.queue_id, n.status, queue_item_ends_bucket(n.processing_completed_at), count(*)
  FROM new_items n
  WHERE n.status IN ('COMPLETED', 'FAILED') AND n.processing_completed_at > queue_item_ends_since() GROUP BY 1, 2, 3, 4;
  PERFORM pg_notify('perdure_queue', concat(n.workspace_id, ' ', n.queue_id, ' ', round(extract(epoch FROM min(n.due_at)) * 1000)))
  FROM new_items n WHERE n.ready_rank IS NOT NULL OR n.due_at IS NOT NULL
  GROUP BY n.workspace_id, n.queue_id, n.due_at IS NULL;
  RETURN NULL;
END $$;

CREATE FUNCTION queue_items_updated() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO queue_item_counts (workspace_id, queue_id, status, band, items, retried, processed, processing_ms)
  SELECT c.workspace_id, c.queue_id, c.status, queue_item_band(c.priority), sum(c.sign),
    coalesce(sum(c.sign) FILTER (WHERE c.retry_count > 0), 0), coalesce(sum(c.sign) FILTER (WHERE c.ms IS NOT NULL), 0),
    coalesce(sum(c.sign * c.ms), 0)
  FROM (
    SELECT n.workspace_id, n.queue_id, n.status, n.priority, n.retry_count,
      milliseconds_between(n.processing_started_at, n.processing_completed_at) AS ms, 1 AS sign FROM new_items n
    UNION ALL
    SELECT o.workspace_id, o.queue_id, o.status, o.priority, o.retry_count,
      milliseconds_between(o.processing_started_at, o.processing_completed_at), -1 FROM old_items o
  ) c GROUP BY 1, 2, 3, 4
  HAVING sum(c.sign) <> 0 OR coalesce(sum(c.sign) FILTER (WHERE c.retry_count > 0), 0) <> 0
    OR coalesce(sum(c.sign) FILTER (WHERE c.ms IS NOT NULL), 0) <> 0 OR coalesce(sum(c.sign * c.ms), 0) <> 0;
  INSERT INTO queue_item_ends (workspace_id, queue_id, status, bucket, items)
  SELECT c.workspace_id, c.queue_id, c.status, queue_item_ends_bucket(c.ended_at), sum(c.sign)
  FROM (
    SELECT n.workspace_id, n.queue_id, n.status, n.processing_completed_at AS ended_at, 1 AS sign FROM new_items n
    UNION ALL
    SELECT o.workspace_id, o.queue_id, o.status, o.processing_completed_at, -1 FROM old_items o
  ) c WHERE c.status IN ('COMPLETED', 'FAILED') AND c.ended_at > queue_item_ends_since()
  GROUP BY 1, 2, 3, 4 HAVING sum(c.sign) <> 0;
  -- FULL JOIN with null-safe conditions: sessions keep the first plan, and nested loops are slow for a thousand items.
  INSERT INTO queue_item_moves (workspace_id, item_id, "from", "to", note, execution_id, worker, by, id)
  SELECT n.workspace_id, n.id, o.status, n.status, n.moved_note, coalesce(n.execution_id, o.execution_id),
    coalesce(n.lease_worker, o.lease_worker), n.moved_by, n.moved_id
  FROM new_items n FULL JOIN old_items o ON o.id = n.id WHERE n.status IS DISTINCT FROM o.status;
  PERFORM pg_notify('perdure_queue', concat(n.workspace_id, ' ', n.queue_id, ' ',
    round(extract(epoch FROM min(coalesce(n.due_at, n.lease_expires_at))) * 1000)))
  FROM new_items n FULL JOIN old_items o ON o.id = n.id
  -- Also for items that were ready before: claims skip items that another statement has locked.
  WHERE coalesce(n.ready_rank IS NOT NULL OR n.due_at IS NOT NULL AND n.due_at IS DISTINCT FROM o.due_at
    OR n.lease_expires_at IS NOT NULL AND n.lease_expires_at IS DISTINCT FROM o.lease_expires_at, false)
  GROUP BY n.workspace_id, n.queue_id, n.ready_rank IS NULL;
  IF current_setting('perdure.queue_item_texts_may_change', true) = 'true' THEN
    UPDATE queue_item_texts x SET text = queue_item_text(n.external_id, n.data, n.metadata)
    FROM new_items n
    WHERE x.item_id = n.id AND x.text <> queue_item_text(n.external_id, n.data, n.metadata);
  END IF;
  RETURN NULL;
END $$;

-- Flags that a column of the search text is set, until the transaction ends: moves set none, and need not compare data.
-- (A trigger with transition tables cannot name columns.)
CREATE FUNCTION queue_item_texts_may_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_config('perdure.queue_item_texts_may_change', 'true', true);
  RETURN NULL;
END $$;

-- Counts nothing if the queue is deleted too, because its counts go with it.
CREATE FUNCTION queue_items_deleted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM queue_item_moves m USING old_items o WHERE m.item_id = o.id;
  DELETE FROM queue_item_texts x USING old_items o WHERE x.item_id = o.id;
  INSERT INTO queue_item_counts (workspace_id, queue_id, status, band, items, retried, processed, processing_ms)
  SELECT o.workspace_id, o.queue_id, o.status, queue_item_band(o.priority), -count(*),
    -count(*) FILTER (WHERE o.retry_count > 0),
    -count(milliseconds_between(o.processing_started_at, o.processing_completed_at)),
    -coalesce(sum(milliseconds_between(o.processing_started_at, o.processing_completed_at)), 0)
  FROM old_items o JOIN queues q ON q.id = o.queue_id GROUP BY 1, 2, 3, 4;
  INSERT INTO queue_item_ends (workspace_id, queue_id, status, bucket, items)
  SELECT o.workspace_id, o.queue_id, o.status, queue_item_ends_bucket(o.processing_completed_at), -count(*)
  FROM old_items o JOIN queues q ON q.id = o.queue_id
  WHERE o.status IN ('COMPLETED', 'FAILED') AND o.processing_completed_at > queue_item_ends_since() GROUP BY 1, 2, 3, 4;
  RETURN NULL;
END $$;

CREATE TRIGGER queue_items_after_insert AFTER INSERT ON queue_items REFERENCING NEW TABLE AS new_items
FOR EACH STATEMENT EXECUTE FUNCTION queue_items_inserted();
CREATE TRIGGER queue_items_after_update AFTER UPDATE ON queue_items
REFERENCING NEW TABLE AS new_items OLD TABLE AS old_items
FOR EACH STATEMENT EXECUTE FUNCTION queue_items_updated();
CREATE TRIGGER queue_item_texts_may_change BEFORE UPDATE OF external_id, data, metadata ON queue_items
FOR EACH STATEMENT EXECUTE FUNCTION queue_item_texts_may_change();
CREATE TRIGGER queue_items_after_delete AFTER DELETE ON queue_items REFERENCING OLD TABLE AS old_items
FOR EACH STATEMENT EXECUTE FUNCTION queue_items_deleted();

-- PROCESSING items become RETRYING while retries remain, otherwise FAILED, with an entry in the error history. p_error:
-- {message, code?, details?}. Callers that depend on a lease or execution lock the rows earlier.
CREATE FUNCTION fail_queue_items(p_workspace uuid, p_items uuid[], p_error jsonb, p_execution uuid, p_by jsonb,
  p_id uuid DEFAULT NULL)
RETURNS TABLE (id uuid, queue_id uuid, status text, next_retry_at timestamptz) LANGUAGE plpgsql AS $$
BEGIN
  RETURN QUERY WITH present AS MATERIALIZED (
    SELECT i.id, i.retry_count < coalesce(i.max_retries, q.max_retries) AS again,
      now() + make_interval(secs => 60 * coalesce(i.retry_delay_minutes, q.retry_delay_minutes)) AS retry_at
    FROM queue_items i JOIN queues q ON q.id = i.queue_id
    WHERE i.id = ANY (p_items) AND i.workspace_id = p_workspace AND i.status = 'PROCESSING'
    ORDER BY i.id FOR NO KEY UPDATE OF i
  ), failed AS (
    UPDATE queue_items i SET
      status = CASE WHEN p.again THEN 'RETRYING' ELSE 'FAILED' END,
      retry_count = i.retry_count + CASE WHEN p.again THEN 1 ELSE 0 END,
      next_retry_at = CASE WHEN p.again THEN p.retry_at END,
      due_at = CASE WHEN p.again AND p.retry_at > now() THEN p.retry_at END,
      processing_completed_at = CASE WHEN p.again THEN NULL ELSE now() END,
      last_error = p_error ->> 'message', last_error_at = now(),
      execution_id = NULL, lease_worker = NULL, lease_by = NULL, lease_expires_at = NULL,
      moved_by = p_by, moved_note = NULL, moved_id = NULL, updated_at = now()
    FROM present p WHERE i.id = p.id
    RETURNING i.id, i.queue_id, i.status, i.next_retry_at, i.last_execution_id, i.retry_count + CASE WHEN p.again THEN 0 ELSE 1 END AS attempt
  ), kept AS (
    INSERT INTO queue_item_errors (id, workspace_id, item_id, message, code, details, attempt, execution_id, by)
    SELECT coalesce(p_id, uuid_v7_of_now()), p_workspace, f.id, coalesce(p_error ->> 'message', 'The item failed'), p_error ->> 'code', p_error -> 'details',
      f.attempt, coalesce(p_execution, f.last_execution_id), p_by
    FROM failed f
  )
  SELECT f.id, f.queue_id, f.status, f.next_retry_at FROM failed f;
END $$;

-- In order, with a lease (lease.ts); skips locked rows. At most p_bytes of data and metadata, but at least one item.
-- Generic plans: planning each call would take longer than the claim.
CREATE FUNCTION claim_queue_items(
  p_workspace uuid, p_queue uuid, p_limit integer, p_bytes bigint, p_lease_ms float8, p_worker text, p_by jsonb,
  p_move uuid
) RETURNS SETOF queue_items LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  v_items uuid[];
BEGIN
  PERFORM FROM queues q WHERE q.id = p_queue AND q.workspace_id = p_workspace AND q.is_active;
  IF NOT FOUND THEN RETURN; END IF;
  SELECT array_agg(c.id) INTO v_items FROM (
    SELECT r.id, row_number() OVER line AS place, sum(r.bytes) OVER line AS total FROM (
      SELECT * FROM (
        SELECT i.id, i.priority, i.created_at, octet_length(i.data::text) + octet_length(i.metadata::text) AS bytes
        FROM queue_items i WHERE i.queue_id = p_queue AND i.ready_rank IS NOT NULL
        ORDER BY i.ready_rank DESC, i.created_at, i.id LIMIT p_limit FOR NO KEY UPDATE SKIP LOCKED) in_line
      UNION ALL
      SELECT * FROM (
        SELECT i.id, i.priority, i.created_at, octet_length(i.data::text) + octet_length(i.metadata::text)
        FROM queue_items i WHERE i.queue_id = p_queue AND i.due_at <= now()
        ORDER BY i.priority DESC, i.created_at, i.id LIMIT p_limit FOR NO KEY UPDATE SKIP LOCKED) now_due
    ) r WINDOW line AS (ORDER BY r.priority DESC, r.created_at, r.id)
  ) c WHERE c.place <= p_limit AND (c.place = 1 OR c.total <= p_bytes);
  IF v_items IS NULL THEN RETURN; END IF;
  RETURN QUERY UPDATE queue_items t SET
    status = 'PROCESSING', processing_started_at = now(), processing_completed_at = NULL, next_retry_at = NULL, due_at = NULL,
    lease_expires_at = now() + make_interval(secs => p_lease_ms / 1000), lease_number = t.lease_number + 1,
    lease_worker = p_worker, lease_by = p_by, moved_by = p_by, moved_note = NULL, moved_id = p_move,
    updated_at = now()
  WHERE t.id = ANY (v_items) RETURNING t.*;
END $$;
