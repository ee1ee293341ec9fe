use std::collections::{BTreeMap, VecDeque};
use std::fmt;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// A slot in the greenhouse irrigation schedule.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BedId(u16);

#[derive(Debug)]
pub enum ValveError {
    Stuck { bed: BedId, since: Instant },
    PressureTooLow(f32),
    Bus(std::io::Error),
}

impl fmt::Display for ValveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stuck { bed, since } => {
                write!(f, "valve of bed {} stuck for {:?}", bed.0, since.elapsed())
            }
            Self::PressureTooLow(bar) => write!(f, "pressure is only {bar:.2} bar"),
            Self::Bus(inner) => write!(f, "field bus: {inner}"),
        }
    }
}

impl std::error::Error for ValveError {}

impl From<std::io::Error> for ValveError {
    fn from(value: std::io::Error) -> Self {
        ValveError::Bus(value)
    }
}

pub trait Valve: Send {
    fn open(&mut self) -> Result<(), ValveError>;
    fn close(&mut self) -> Result<(), ValveError>;
    fn litres_per_minute(&self) -> f32 {
        4.5
    }
}

pub struct Scheduler<V: Valve> {
    valves: BTreeMap<BedId, Arc<Mutex<V>>>,
    queue: VecDeque<(BedId, Duration)>,
    max_parallel: usize,
}

impl<V: Valve> Scheduler<V> {
    pub fn new(max_parallel: usize) -> Self {
        assert!(max_parallel > 0, "at least one valve must be able to open");
        Self { valves: BTreeMap::new(), queue: VecDeque::with_capacity(16), max_parallel }
    }

    pub fn register(&mut self, id: u16, valve: V) -> Option<Arc<Mutex<V>>> {
        self.valves.insert(BedId(id), Arc::new(Mutex::new(valve)))
    }

    pub fn enqueue(&mut self, bed: BedId, litres: f32) -> bool {
        let Some(valve) = self.valves.get(&bed) else { return false };
        let rate = valve.lock().unwrap().litres_per_minute().max(0.1);
        let seconds = (litres / rate * 60.0).ceil() as u64;
        self.queue.push_back((bed, Duration::from_secs(seconds)));
        true
    }

    /// Waters one batch of beds; whatever fails goes to the back of the queue.
    pub fn run_batch(&mut self) -> Vec<ValveError> {
        let mut errors = Vec::new();
        let take = self.max_parallel.min(self.queue.len());
        let batch: Vec<_> = self.queue.drain(..take).collect();
        for (bed, duration) in &batch {
            let valve = Arc::clone(&self.valves[bed]);
            let mut guard = match valve.lock() {
                Ok(guard) => guard,
                Err(poisoned) => poisoned.into_inner(),
            };
            if let Err(error) = guard.open().and_then(|()| {
                std::thread::sleep(*duration / 1000);
                guard.close()
            }) {
                self.queue.push_back((bed.clone(), *duration));
                errors.push(error);
            }
        }
        errors
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Dummy(bool);
    impl Valve for Dummy {
        fn open(&mut self) -> Result<(), ValveError> {
            if self.0 { Ok(()) } else { Err(ValveError::PressureTooLow(0.3)) }
        }
        fn close(&mut self) -> Result<(), ValveError> {
            Ok(())
        }
    }

    #[test]
    fn failed_beds_are_tried_again() {
        let mut scheduler = Scheduler::new(2);
        scheduler.register(7, Dummy(false));
        assert!(scheduler.enqueue(BedId(7), 1.5));
        assert_eq!(scheduler.run_batch().len(), 1);
        assert_eq!(scheduler.queue.len(), 1);
    }
}
