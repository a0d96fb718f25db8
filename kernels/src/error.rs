//! Reasons why a CUDA device cannot be used or cannot continue, each with its remedy.

/// Reason why a device cannot compute.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CudaError {
    /// The driver library is not installed.
    #[error("no NVIDIA driver is installed (libcuda was not found); install the driver of your card to use it")]
    NoDriver,
    /// There is a driver but no device.
    #[error(
        "the NVIDIA driver is installed but finds no device; check that the card is fitted and not in use by a virtual machine"
    )]
    NoDevice,
    /// There are devices, but not this one.
    #[error("there is no CUDA device {asked}; this machine has {count}, counted from 0")]
    NoSuchDevice {
        /// The number that was asked for.
        asked: usize,
        /// Number of devices.
        count: usize,
    },
    /// The driver is older than the kernels need.
    #[error("the NVIDIA driver supports CUDA {found}, CUDA {needed} is needed; update the driver (525.60 or newer)")]
    DriverTooOld {
        /// CUDA version that the driver supports, such as `11.4`.
        found: String,
        /// CUDA version that is needed.
        needed: String,
    },
    /// The device is older than the kernels need.
    #[error("{name} has compute capability {}.{}; 7.5 (Turing, 2018) or newer is needed; use the CPU", found.0, found.1)]
    DeviceTooOld {
        /// Name of the device.
        name: String,
        /// Its compute capability.
        found: (i32, i32),
    },
    /// A kernel needs more shared memory than a block can have.
    #[error(
        "the instance needs {needed} bytes of shared memory per block, the device offers {offered}; use the CPU for it"
    )]
    SharedMemory {
        /// Bytes that a block needs.
        needed: usize,
        /// Bytes that a block can have.
        offered: usize,
    },
    /// A part of the session has more exams than the kernels can hold.
    #[error(
        "the device anneals at most {most} exams that are connected by students or rules, here are {found}; use the CPU"
    )]
    TooManyExams {
        /// Exams of the largest connected part.
        found: u32,
        /// Largest number that the kernels support.
        most: u32,
    },
    /// A flow shop has more machines than the kernels can hold.
    #[error("the device computes orders for at most {most} machines, here are {found}; use the CPU")]
    TooManyMachines {
        /// Machines of the shop.
        found: u32,
        /// Largest number that the kernels support.
        most: u32,
    },
    /// A flow shop has more jobs than the kernels compute in time.
    #[error("the device searches orders of at most {most} jobs for this objective, here are {found}; use the CPU")]
    TooManyJobs {
        /// Jobs of the shop.
        found: u32,
        /// Largest number that the kernels support.
        most: u32,
    },
    /// An order was asked to be computed by none or by more threads than have something to do.
    #[error("{asked} threads cannot compute the diagonals of an order here; ask for 1 to {most}")]
    Processors {
        /// Threads that were asked for.
        asked: u32,
        /// Largest useful number of threads.
        most: u32,
    },
    /// Orders do not belong to the shop, or are more than there is room for.
    #[error("the orders cannot be computed: {0}; give whole orders of this flow shop, as many as there is room for")]
    Orders(String),
    /// Sums of completion times exceed 32 bits.
    #[error(
        "completion times may add up to {sum}, and the device adds them up to 4,294,967,295; use the CPU, or measure times in \
         larger units"
    )]
    LongTimes {
        /// Upper bound of the sum.
        sum: u64,
    },
    /// A grid of cells cannot be computed.
    #[error("the device cannot hold this grid: {0}; use the CPU for it, or measure its numbers in larger units")]
    Grid(String),
    /// The memory of the device does not suffice.
    #[error(
        "the search needs {} of the device's memory, {} are free; choose a smaller population or fewer chains, close \
         other programs that use the card, or use the CPU",
        memory_size(*.needed),
        memory_size(*.free)
    )]
    OutOfMemory {
        /// Bytes that are needed.
        needed: u64,
        /// Bytes that are free.
        free: u64,
    },
    /// The kernels that ship with the program could not be loaded.
    #[error("the driver could not load the kernels: {0}; update the driver, or use the CPU")]
    Load(String),
    /// A kernel could not be started or broke off.
    #[error("the device stopped in {kernel}: {what}; check its temperature and driver, or use the CPU")]
    Launch {
        /// The kernel or transfer in question.
        kernel: &'static str,
        /// Message of the driver.
        what: String,
    },
    /// The driver answered with an error.
    #[error("the NVIDIA driver reports an error: {0}; restart the machine or reinstall the driver")]
    Driver(String),
}

impl CudaError {
    /// Returns `true` if there is no driver, no device, or no device with this number; all other errors are faults of a present device.
    pub fn is_absence(&self) -> bool {
        matches!(self, Self::NoDriver | Self::NoDevice | Self::NoSuchDevice { .. })
    }

    /// Returns `true` if the device can do nothing more, so that others may take over its work.
    pub fn is_loss(&self) -> bool {
        matches!(self, Self::Launch { .. } | Self::Driver(_))
    }
}

/// Formats a number of bytes, such as `12.5 MiB` or `139.2 GiB`.
pub fn memory_size(bytes: u64) -> String {
    let mebibytes = bytes as f64 / f64::from(1 << 20);
    if mebibytes < 1024.0 { format!("{mebibytes:.1} MiB") } else { format!("{:.1} GiB", mebibytes / 1024.0) }
}
