//! The store of a cluster: sends the blobs that it lacks, and reads others.

use super::address::Address;
use super::channel::{Line, soon};
use super::tree::{Blob, Digest};
use super::trouble::Trouble;
use crate::error::UserError;
use bazel_remote_apis::build::bazel::remote::execution::v2 as api;
use bazel_remote_apis::google::bytestream::byte_stream_client::ByteStreamClient;
use bazel_remote_apis::google::bytestream::{ReadRequest, WriteRequest};
use ring::rand::{SecureRandom, SystemRandom};
use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tonic::{Code, Status};

/// The most bytes of blobs in one request, below the 4 MiB that a message may have by default.
const BATCH: u64 = 4_000_000;
/// The bytes of a part of a large blob.
const PART: usize = 1 << 20;
/// The time for a request, besides what its bytes need.
const ANSWER: Duration = Duration::from_secs(10);
/// The speed that a connection has at least, in bytes a second.
const SPEED: u64 = 1 << 17;
/// The number of blobs that are remembered.
const REMEMBERED: usize = 200_000;
/// Of a long output, the bytes at its beginning and at its end that are read.
const KEPT: u64 = 256 << 10;

/// The store; see the module.
#[derive(Debug)]
pub(super) struct Store {
    address: Address,
    /// The most bytes of blobs in one request.
    batch: u64,
    /// Blobs that the store has, as far as we know.
    known: Mutex<HashSet<Digest>>,
    /// The number of blobs that were sent, and their bytes.
    pub(super) sent: [AtomicU64; 2],
}

impl Store {
    /// The store of a cluster that takes so many bytes of blobs in one request; 0 is any number.
    pub(super) fn new(address: &Address, batch: i64) -> Self {
        let batch = u64::try_from(batch).ok().filter(|&batch| batch > 0).map_or(BATCH, |own| own.min(BATCH));
        Self { address: address.clone(), batch, known: Mutex::default(), sent: Default::default() }
    }

    fn known(&self) -> MutexGuard<'_, HashSet<Digest>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn remember(&self, digests: impl Iterator<Item = Digest>) {
        let mut known = self.known();
        if known.len() >= REMEMBERED {
            known.clear();
        }
        known.extend(digests);
    }

    /// Forgets what it knows of these blobs.
    pub(super) fn forget<'b>(&self, blobs: impl Iterator<Item = &'b Blob>) {
        let mut known = self.known();
        for blob in blobs {
            known.remove(&blob.digest);
        }
    }

    /// Sends those of these blobs that the cluster lacks.
    pub(super) async fn send(&self, line: &Line, blobs: impl Iterator<Item = &Blob>) -> Result<(), Trouble> {
        let mut new: HashMap<Digest, &Blob> = {
            let known = self.known();
            blobs.filter(|blob| !known.contains(&blob.digest)).map(|blob| (blob.digest, blob)).collect()
        };
        if new.is_empty() {
            return Ok(());
        }
        let all: Vec<Digest> = new.keys().copied().collect();
        let missing = self.missing(line, &all).await?;
        new.retain(|digest, _| missing.contains(&api::Digest::from(*digest)));
        let (large, small): (Vec<&Blob>, Vec<&Blob>) =
            new.into_values().partition(|blob| blob.digest.size > self.batch / 2);
        let (mut batch, mut size) = (Vec::new(), 0);
        for blob in small {
            // Each blob has some 100 bytes besides its own.
            if size + blob.digest.size + 100 > self.batch {
                self.send_batch(line, std::mem::take(&mut batch), size).await?;
                size = 0;
            }
            size += blob.digest.size + 100;
            batch.push(blob);
        }
        if !batch.is_empty() {
            self.send_batch(line, batch, size).await?;
        }
        for blob in large {
            self.send_large(line, blob).await?;
        }
        self.remember(all.into_iter());
        Ok(())
    }

    /// Which of these blobs the cluster lacks.
    async fn missing(&self, line: &Line, digests: &[Digest]) -> Result<HashSet<api::Digest>, Trouble> {
        use api::content_addressable_storage_client::ContentAddressableStorageClient;
        let mut missing = HashSet::new();
        for some in digests.chunks(10_000) {
            let request = api::FindMissingBlobsRequest {
                instance_name: self.address.instance.clone(),
                blob_digests: some.iter().map(|&digest| digest.into()).collect(),
                digest_function: api::digest_function::Value::Sha256 as i32,
            };
            let mut client = ContentAddressableStorageClient::new(line.clone());
            let answer = soon(ANSWER, &self.address, client.find_missing_blobs(request)).await?;
            missing.extend(answer.into_inner().missing_blob_digests);
        }
        Ok(missing)
    }

    async fn send_batch(&self, line: &Line, blobs: Vec<&Blob>, size: u64) -> Result<(), Trouble> {
        use api::content_addressable_storage_client::ContentAddressableStorageClient;
        let requests = blobs
            .iter()
            .map(|blob| {
                let data = read(blob)?.to_vec();
                let digest = Some(blob.digest.into());
                Ok(api::batch_update_blobs_request::Request { digest, data, compressor: 0 })
            })
            .collect::<Result<_, Trouble>>()?;
        let request = api::BatchUpdateBlobsRequest {
            instance_name: self.address.instance.clone(),
            requests,
            digest_function: api::digest_function::Value::Sha256 as i32,
        };
        let mut client = ContentAddressableStorageClient::new(line.clone());
        let answer = soon(patience(size), &self.address, client.batch_update_blobs(request)).await?;
        let failed = answer.into_inner().responses.into_iter().filter_map(|one| one.status);
        if let Some(status) = failed.into_iter().find(|status| status.code != Code::Ok as i32) {
            let status = Status::new(Code::from(status.code), status.message);
            return Err(Trouble::of(&status, &self.address, false));
        }
        self.count(&blobs);
        Ok(())
    }

    async fn send_large(&self, line: &Line, blob: &Blob) -> Result<(), Trouble> {
        let data = read(blob)?;
        let name = self.resource(&format!("uploads/{}/blobs", unguessable()?), &blob.digest.into());
        let parts: Vec<WriteRequest> = data
            .chunks(PART)
            .enumerate()
            .map(|(number, part)| WriteRequest {
                resource_name: if number == 0 { name.clone() } else { String::new() },
                write_offset: i64::try_from(number * PART).unwrap_or(i64::MAX),
                finish_write: (number + 1) * PART >= data.len(),
                data: part.to_vec(),
            })
            .collect();
        let mut client = ByteStreamClient::new(line.clone());
        let answer = client.write(tokio_stream::iter(parts));
        let answer = soon(patience(blob.digest.size), &self.address, answer).await?.into_inner();
        // A server that has got the blob from somebody else in the meantime stops reading.
        if u64::try_from(answer.committed_size).is_ok_and(|size| size != blob.digest.size) {
            let title = format!("the server took {} of {} bytes", answer.committed_size, blob.digest.size);
            return Err(Trouble::Unreachable(title));
        }
        self.count(&[blob]);
        Ok(())
    }

    fn count(&self, blobs: &[&Blob]) {
        let bytes = blobs.iter().map(|blob| blob.digest.size).sum();
        self.sent[0].fetch_add(blobs.len() as u64, Ordering::Relaxed);
        self.sent[1].fetch_add(bytes, Ordering::Relaxed);
    }

    /// The name of a blob in a stream of bytes.
    fn resource(&self, kind: &str, digest: &api::Digest) -> String {
        let name = format!("{kind}/{}/{}", digest.hash, digest.size_bytes);
        if self.address.instance.is_empty() { name } else { format!("{}/{name}", self.address.instance) }
    }

    /// The beginning and the end of a blob.
    pub(super) async fn read(&self, line: &Line, digest: &api::Digest) -> Result<Vec<u8>, Trouble> {
        let size = u64::try_from(digest.size_bytes).unwrap_or(0);
        if size <= 2 * KEPT {
            return self.read_part(line, digest, 0, size).await;
        }
        let mut both = self.read_part(line, digest, 0, KEPT).await?;
        both.extend(self.read_part(line, digest, size - KEPT, KEPT).await?);
        Ok(both)
    }

    async fn read_part(
        &self,
        line: &Line,
        digest: &api::Digest,
        offset: u64,
        size: u64,
    ) -> Result<Vec<u8>, Trouble> {
        let whole = |n: u64| i64::try_from(n).unwrap_or(i64::MAX);
        if size == 0 {
            return Ok(Vec::new());
        }
        let request = ReadRequest {
            resource_name: self.resource("blobs", digest),
            read_offset: whole(offset),
            read_limit: whole(size),
        };
        let mut client = ByteStreamClient::new(line.clone());
        let read = async {
            let mut stream = client.read(request).await?.into_inner();
            let mut bytes = Vec::new();
            while let Some(part) = stream.message().await? {
                bytes.extend(part.data);
            }
            Ok(bytes)
        };
        soon(patience(size), &self.address, read).await
    }
}

/// The time that a request with so many bytes may take.
fn patience(bytes: u64) -> Duration {
    ANSWER + Duration::from_secs(bytes / SPEED)
}

/// The bytes of a blob, which may be in a file that has changed.
fn read(blob: &Blob) -> Result<std::sync::Arc<Vec<u8>>, Trouble> {
    let bytes = blob.source.read().map_err(|e| {
        Trouble::Refused(UserError::usage("a file of the test cannot be read").fact(e.to_string()))
    })?;
    if bytes.len() as u64 != blob.digest.size {
        return Err(Trouble::Refused(UserError::usage("a file of the test has changed during the run")));
    }
    Ok(bytes)
}

/// An unguessable name for an upload, in the form of a UUID.
fn unguessable() -> Result<String, Trouble> {
    let mut random = [0u8; 16];
    SystemRandom::new()
        .fill(&mut random)
        .map_err(|_| Trouble::Refused(UserError::usage("the system has no random numbers")))?;
    random[6] = random[6] & 0x0f | 0x40;
    random[8] = random[8] & 0x3f | 0x80;
    let hex: String = random.iter().map(|byte| format!("{byte:02x}")).collect();
    Ok(format!("{}-{}-{}-{}-{}", &hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..]))
}
