<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
<context>
    <name>Ask</name>
    <message numerus="yes">
        <source>is {value}; {n} of its layer are stronger.</source>
        <translation>
            <numerusform>is {value}; {n} of its layer is stronger.</numerusform>
            <numerusform>is {value}; {n} of its layer are stronger.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>mean of {n} images</source>
        <translation>
            <numerusform>mean of {n} image</numerusform>
            <numerusform>mean of {n} images</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>sum of the {n}</source>
        <translation>
            <numerusform>sum of the {n}</numerusform>
            <numerusform>sum of the {n}</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{n} others</source>
        <translation>
            <numerusform>{n} other</numerusform>
            <numerusform>{n} others</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{share} of the {n} test images excite it more than your drawing.</source>
        <translation>
            <numerusform>{share} of the {n} test image excite it more than your drawing.</numerusform>
            <numerusform>{share} of the {n} test images excite it more than your drawing.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ClassesPage</name>
    <message numerus="yes">
        <source>Most often {right} is read as {read}: {n} ×, and {others} other pairs as often.</source>
        <translation>
            <numerusform>Most often {right} is read as {read}: {n} ×, and another pair as often.</numerusform>
            <numerusform>Most often {right} is read as {read}: {n} ×, and {others} other pairs as often.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{n} images of {right} read as {read}, the most certain first.</source>
        <translation>
            <numerusform>{n} image of {right} read as {read}.</numerusform>
            <numerusform>{n} images of {right} read as {read}, the most certain first.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{n} images of {right} read right, the least certain first.</source>
        <translation>
            <numerusform>{n} image of {right} read right.</numerusform>
            <numerusform>{n} images of {right} read right, the least certain first.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{n} images, {confidence} certain, {right} right</source>
        <translation>
            <numerusform>{n} image, {confidence} certain, {right} right</numerusform>
            <numerusform>{n} images, {confidence} certain, {right} right</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{n} mistakes, the most certain first: the label of the data, then what is read. A cell shows its images.</source>
        <translation>
            <numerusform>{n} mistake, the most certain first: the label of the data, then what is read. A cell shows its images.</numerusform>
            <numerusform>{n} mistakes, the most certain first: the label of the data, then what is read. A cell shows its images.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{right} of {all} test images are read right ({share}).</source>
        <translation>
            <numerusform>{right} of {all} test image is read right ({share}).</numerusform>
            <numerusform>{right} of {all} test images are read right ({share}).</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Comparison</name>
    <message numerus="yes">
        <source>and {n} more</source>
        <translation type="unfinished">
            <numerusform>and {n} more</numerusform>
            <numerusform>and {n} more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ComparisonDialog</name>
    <message numerus="yes">
        <source>{n} runs; a part of the training images is kept aside to compare them (validation).</source>
        <translation>
            <numerusform>{n} run; a part of the training images is kept aside (validation).</numerusform>
            <numerusform>{n} runs; a part of the training images is kept aside to compare them (validation).</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Conclusion</name>
    <message numerus="yes">
        <source>See the {n} mistakes</source>
        <translation>
            <numerusform>See the mistake</numerusform>
            <numerusform>See the {n} mistakes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{score} of {n} test images read right, {wrong} wrong.</source>
        <translation>
            <numerusform>{score} of {n} test image read right, {wrong} wrong.</numerusform>
            <numerusform>{score} of {n} test images read right, {wrong} wrong.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Contestants</name>
    <message numerus="yes">
        <source>{n} threads share the batches of a group on {device}.</source>
        <translation>
            <numerusform>{n} thread computes the batches of a group on {device}.</numerusform>
            <numerusform>{n} threads share the batches of a group on {device}.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{n} workers</source>
        <translation>
            <numerusform>{n} worker</numerusform>
            <numerusform>{n} workers</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{n} workers need a group of at least as many batches.</source>
        <translation>
            <numerusform>{n} worker needs a group of at least one batch.</numerusform>
            <numerusform>{n} workers need a group of at least as many batches.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ContinueDialog</name>
    <message numerus="yes">
        <source>{run}: {n} of {all} epochs are done.</source>
        <translation>
            <numerusform>{run}: {n} of {all} epoch is done.</numerusform>
            <numerusform>{run}: {n} of {all} epochs are done.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>DataBrowser</name>
    <message numerus="yes">
        <source>{n} images</source>
        <translation>
            <numerusform>{n} image</numerusform>
            <numerusform>{n} images</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>DatasetPicker</name>
    <message numerus="yes">
        <source>There are too few drawings of yours: keep {n} of one digit, or choose other data.</source>
        <translation>
            <numerusform>There are too few drawings of yours: keep {n} of one digit, or choose other data.</numerusform>
            <numerusform>There are too few drawings of yours: keep {n} of one digit, or choose other data.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{n} drawings of yours; every sixth of a digit is kept to test with.</source>
        <translation>
            <numerusform>{n} drawing of yours; every sixth of a digit is kept to test with.</numerusform>
            <numerusform>{n} drawings of yours; every sixth of a digit is kept to test with.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{train} points to learn from, {test} to test</source>
        <translation>
            <numerusform>{train} point to learn from, {test} to test</numerusform>
            <numerusform>{train} points to learn from, {test} to test</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>DevicesTab</name>
    <message numerus="yes">
        <source>{processor} with {n} cores; {cards}.</source>
        <translation>
            <numerusform>{processor} with {n} core; {cards}.</numerusform>
            <numerusform>{processor} with {n} cores; {cards}.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>DigitFiles</name>
    <message numerus="yes">
        <source>{n} digits of one writer are in {path}; to train on them, join those of several.</source>
        <translation>
            <numerusform>{n} digit of one writer is in {path}; to train on digits, join those of several.</numerusform>
            <numerusform>{n} digits of one writer are in {path}; to train on them, join those of several.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{n} digits of {writers} writers are in {path}.</source>
        <translation>
            <numerusform>{n} digit of {writers} writers is in {path}.</numerusform>
            <numerusform>{n} digits of {writers} writers are in {path}.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{n} files are left out, the first of them: {reason}</source>
        <translation>
            <numerusform>One file is left out: {reason}</numerusform>
            <numerusform>{n} files are left out, the first of them: {reason}</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>DrawingPanel</name>
    <message numerus="yes">
        <source>Kept as a {digit}: {n} of it, {all} of all digits.</source>
        <translation>
            <numerusform>Kept as a {digit}: {n} of it, {all} of all digits.</numerusform>
            <numerusform>Kept as a {digit}: {n} of it, {all} of all digits.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>GradeDialog</name>
    <message numerus="yes">
        <source>How many of the {n} parts are done.</source>
        <translation>
            <numerusform>Whether the one part is done.</numerusform>
            <numerusform>How many of the {n} parts are done.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{n} of {all} runs the same to the bit</source>
        <translation>
            <numerusform>{n} of {all} run the same to the bit</numerusform>
            <numerusform>{n} of {all} runs the same to the bit</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>HandInDialog</name>
    <message numerus="yes">
        <source>{n} of {all} runs are complete</source>
        <translation>
            <numerusform>{n} of {all} run is complete</numerusform>
            <numerusform>{n} of {all} runs are complete</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{n} runs of {network}, epochs: {epochs}</source>
        <translation>
            <numerusform>a run of {network}, epochs: {epochs}</numerusform>
            <numerusform>{n} runs of {network}, epochs: {epochs}</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>InputError</name>
    <message numerus="yes">
        <source>A text of {count:,} characters is too long: use at most {most:,}.</source>
        <translation>
            <numerusform>A text of {count:,} characters is too long: use at most {most:,}.</numerusform>
            <numerusform>A text of {count:,} characters is too long: use at most {most:,}.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The block {block} has {count} threads: a card takes from 1 to 1024 (and 64 in z).</source>
        <translation>
            <numerusform>The block {block} has {count} thread: a card takes from 1 to 1024 (and 64 in z).</numerusform>
            <numerusform>The block {block} has {count} threads: a card takes from 1 to 1024 (and 64 in z).</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The layer {layer} needs weights of shape {wanted} and {count} biases, and has {found} and {biases}.</source>
        <translation>
            <numerusform>The layer {layer} needs weights of shape {wanted} and {count} bias, and has {found} and {biases}.</numerusform>
            <numerusform>The layer {layer} needs weights of shape {wanted} and {count} biases, and has {found} and {biases}.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The layer {layer} needs {count} running means and as many variances, none of them negative.</source>
        <translation>
            <numerusform>The layer {layer} needs {count} running mean and one variance, which is not negative.</numerusform>
            <numerusform>The layer {layer} needs {count} running means and as many variances, none of them negative.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The network has {count:,} parameters, and an ONNX file holds {limit:,}: choose another kind.</source>
        <translation>
            <numerusform>The network has {count:,} parameters, and an ONNX file holds {limit:,}: choose another kind.</numerusform>
            <numerusform>The network has {count:,} parameters, and an ONNX file holds {limit:,}: choose another kind.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>sizes: {count:,} combinations are too many: at most {most}.</source>
        <translation>
            <numerusform>sizes: {count:,} combinations are too many: at most {most}.</numerusform>
            <numerusform>sizes: {count:,} combinations are too many: at most {most}.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>there are {count} wrong kernels: at most {most}.</source>
        <translation>
            <numerusform>there are {count} wrong kernels: at most {most}.</numerusform>
            <numerusform>there are {count} wrong kernels: at most {most}.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{count:,} of the {total:,} pictures in {path} cannot be read: {names}. Remove them, or save them again.</source>
        <translation>
            <numerusform>{count:,} of the {total:,} pictures in {path} cannot be read: {names}. Remove them, or save them again.</numerusform>
            <numerusform>{count:,} of the {total:,} pictures in {path} cannot be read: {names}. Remove them, or save them again.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{images} has {count:,} images but {labels} has {label_count:,} labels: the counts must be equal.</source>
        <translation>
            <numerusform>{images} has {count:,} image but {labels} has {label_count:,} labels: the counts must be equal.</numerusform>
            <numerusform>{images} has {count:,} images but {labels} has {label_count:,} labels: the counts must be equal.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{layer} needs an image, but the layer before it gives {count} plain numbers; put convolutions and pooling before the first dense layer.</source>
        <translation>
            <numerusform>{layer} needs an image, but the layer before it gives {count} plain number; put convolutions and pooling before the first dense layer.</numerusform>
            <numerusform>{layer} needs an image, but the layer before it gives {count} plain numbers; put convolutions and pooling before the first dense layer.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{path} has {count:,} operators, more than {limit:,} that are read: choose another file.</source>
        <translation>
            <numerusform>{path} has {count:,} operator, more than {limit:,} that are read: choose another file.</numerusform>
            <numerusform>{path} has {count:,} operators, more than {limit:,} that are read: choose another file.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{path} has {count} lines of numbers: at least 5 are needed to learn and to test.</source>
        <translation>
            <numerusform>{path} has {count} line of numbers: at least 5 are needed to learn and to test.</numerusform>
            <numerusform>{path} has {count} lines of numbers: at least 5 are needed to learn and to test.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{path} holds {count:,} files of {size}; at most {most:,} files of {limit} are unpacked.</source>
        <translation>
            <numerusform>{path} holds {count:,} file of {size}; at most {most:,} files of {limit} are unpacked.</numerusform>
            <numerusform>{path} holds {count:,} files of {size}; at most {most:,} files of {limit} are unpacked.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{path} holds {count:,} files; at most {most:,} are read.</source>
        <translation>
            <numerusform>{path} holds {count:,} files; at most {most:,} are read.</numerusform>
            <numerusform>{path} holds {count:,} files; at most {most:,} are read.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{path}, line {line}: epoch: the run has {count} epochs.</source>
        <translation>
            <numerusform>{path}, line {line}: epoch: the run has {count} epoch.</numerusform>
            <numerusform>{path}, line {line}: epoch: the run has {count} epochs.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{path}, line {line}: variant: the run has {count} variants.</source>
        <translation>
            <numerusform>{path}, line {line}: variant: the run has {count} variant.</numerusform>
            <numerusform>{path}, line {line}: variant: the run has {count} variants.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{path}, line {line}: {count} columns where the lines before have {columns}.</source>
        <translation>
            <numerusform>{path}, line {line}: {count} column where the lines before have {columns}.</numerusform>
            <numerusform>{path}, line {line}: {count} columns where the lines before have {columns}.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{setting}: {count:,} changes are too many, at most {most:,} can be made: leave some out.</source>
        <translation>
            <numerusform>{setting}: {count:,} changes are too many, at most {most:,} can be made: leave some out.</numerusform>
            <numerusform>{setting}: {count:,} changes are too many, at most {most:,} can be made: leave some out.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>KeptRuns</name>
    <message numerus="yes">
        <source>{n} before</source>
        <translation>
            <numerusform>{n} before</numerusform>
            <numerusform>{n} before</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>LabCurves</name>
    <message numerus="yes">
        <source>{n} runs</source>
        <translation>
            <numerusform>{n} run</numerusform>
            <numerusform>{n} runs</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>LabProgress</name>
    <message numerus="yes">
        <source>The text of this lab has changed since you began it: {n} of your answers fit no longer and are left out here; they are still in {path}.</source>
        <translation>
            <numerusform>The text of this lab has changed since you began it: {n} of your answers fits no longer and is left out here; it is still in {path}.</numerusform>
            <numerusform>The text of this lab has changed since you began it: {n} of your answers fit no longer and are left out here; they are still in {path}.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>LayerPage</name>
    <message numerus="yes">
        <source>Each adds up all {n} numbers before it, with weights of its own.</source>
        <translation>
            <numerusform>Each adds up the {n} number before it, with a weight of its own.</numerusform>
            <numerusform>Each adds up all {n} numbers before it, with weights of its own.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>MatrixModel</name>
    <message numerus="yes">
        <source>Of the {n} images of {name}, {share} are found (recall).</source>
        <translation>
            <numerusform>Of the one image of {name}, {share} is found (recall).</numerusform>
            <numerusform>Of the {n} images of {name}, {share} are found (recall).</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Of the {n} images read as {name}, {share} are one (precision).</source>
        <translation>
            <numerusform>Of the one image read as {name}, {share} is one (precision).</numerusform>
            <numerusform>Of the {n} images read as {name}, {share} are one (precision).</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>NetworkEditor</name>
    <message numerus="yes">
        <source>{n} multiply-adds</source>
        <translation>
            <numerusform>{n} multiply-add</numerusform>
            <numerusform>{n} multiply-adds</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{n} multiply-adds an image</source>
        <translation>
            <numerusform>{n} multiply-add an image</numerusform>
            <numerusform>{n} multiply-adds an image</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{n} parameters</source>
        <translation>
            <numerusform>{n} parameter</numerusform>
            <numerusform>{n} parameters</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>NetworkWords</name>
    <message numerus="yes">
        <source>{n} filters</source>
        <translation>
            <numerusform>{n} filter</numerusform>
            <numerusform>{n} filters</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{n} units</source>
        <translation>
            <numerusform>{n} unit</numerusform>
            <numerusform>{n} units</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>OwnDigitsDialog</name>
    <message numerus="yes">
        <source>My digits: {a} of {n} before, {b} of {n} after.</source>
        <translation>
            <numerusform>My digits: {a} of {n} before, {b} of {n} after.</numerusform>
            <numerusform>My digits: {a} of {n} before, {b} of {n} after.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{n} drawings</source>
        <translation>
            <numerusform>{n} drawing</numerusform>
            <numerusform>{n} drawings</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>RacePage</name>
    <message numerus="yes">
        <source>groups of {n} batches</source>
        <translation>
            <numerusform>groups of {n} batch</numerusform>
            <numerusform>groups of {n} batches</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{network} on {data}; {epochs} epochs in batches of {batch}, seed {seed}</source>
        <translation>
            <numerusform>{network} on {data}; one epoch in batches of {batch}, seed {seed}</numerusform>
            <numerusform>{network} on {data}; {epochs} epochs in batches of {batch}, seed {seed}</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>RaceResults</name>
    <message numerus="yes">
        <source>{device}, {n} workers</source>
        <translation>
            <numerusform>{device}, {n} worker</numerusform>
            <numerusform>{device}, {n} workers</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ReadBy</name>
    <message numerus="yes">
        <source>{n} more…</source>
        <translation>
            <numerusform>{n} more…</numerusform>
            <numerusform>{n} more…</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>RegressionPage</name>
    <message numerus="yes">
        <source>R² {r2} on {n} test points; the predictions have a root mean square error of {error}.</source>
        <translation>
            <numerusform>R² {r2} on {n} test point; the prediction has a root mean square error of {error}.</numerusform>
            <numerusform>R² {r2} on {n} test points; the predictions have a root mean square error of {error}.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>RunCommands</name>
    <message numerus="yes">
        <source>{n} runs are in the trash.</source>
        <translation>
            <numerusform>The run is in the trash.</numerusform>
            <numerusform>{n} runs are in the trash.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>RunControls</name>
    <message numerus="yes">
        <source>{n} batches a second</source>
        <translation>
            <numerusform>{n} batch a second</numerusform>
            <numerusform>{n} batches a second</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>RunPart</name>
    <message numerus="yes">
        <source>{fast} is {n} times as fast as {slow}.</source>
        <translation>
            <numerusform>{fast} is {n} times as fast as {slow}.</numerusform>
            <numerusform>{fast} is {n} times as fast as {slow}.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{n} of {all} runs are complete: press Run to go on. It is handed in as it is.</source>
        <translation>
            <numerusform>{n} of {all} run is complete: press Run to go on. It is handed in as it is.</numerusform>
            <numerusform>{n} of {all} runs are complete: press Run to go on. It is handed in as it is.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>RunTable</name>
    <message numerus="yes">
        <source>{name}: {n} runs</source>
        <translation>
            <numerusform>{name}: {n} run</numerusform>
            <numerusform>{name}: {n} runs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{n} runs</source>
        <translation>
            <numerusform>{n} run</numerusform>
            <numerusform>{n} runs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{setting}: {n} values</source>
        <translation>
            <numerusform>{setting}: {n} value</numerusform>
            <numerusform>{setting}: {n} values</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{text}, {n} times each</source>
        <translation>
            <numerusform>{text}, once each</numerusform>
            <numerusform>{text}, {n} times each</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Sentence</name>
    <message numerus="yes">
        <source>All {count} threads of the block have come to the barrier: what one wrote before it, all can read after it.</source>
        <translation>
            <numerusform>The one thread of the block has come to the barrier.</numerusform>
            <numerusform>All {count} threads of the block have come to the barrier: what one wrote before it, all can read after it.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>All {count} threads of this warp use the same element of {array}: one sector serves them all.</source>
        <translation>
            <numerusform>All {count} threads of this warp use the same element of {array}: one sector serves them all.</numerusform>
            <numerusform>All {count} threads of this warp use the same element of {array}: one sector serves them all.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>All {count} threads of this warp use the same word of {array}: one turn serves them all.</source>
        <translation>
            <numerusform>All {count} threads of this warp use the same word of {array}: one turn serves them all.</numerusform>
            <numerusform>All {count} threads of this warp use the same word of {array}: one turn serves them all.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Goals that only a file says to be met, and that were missed here: {count}.</source>
        <translation>
            <numerusform>Goals that only a file says to be met, and that were missed here: {count}.</numerusform>
            <numerusform>Goals that only a file says to be met, and that were missed here: {count}.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>No two of the {count} {what} of this warp need different words of one bank: they take one turn.</source>
        <translation>
            <numerusform>No two of the {count} {what} of this warp need different words of one bank: they take one turn.</numerusform>
            <numerusform>No two of the {count} {what} of this warp need different words of one bank: they take one turn.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The same run in {count} files: {files}.</source>
        <translation>
            <numerusform>The same run in {count} files: {files}.</numerusform>
            <numerusform>The same run in {count} files: {files}.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The {count} {what} of this warp lie in one sector of 32 bytes: neighboring threads use neighboring elements.</source>
        <translation>
            <numerusform>The {count} {what} of this warp lie in one sector of 32 bytes: neighboring threads use neighboring elements.</numerusform>
            <numerusform>The {count} {what} of this warp lie in one sector of 32 bytes: neighboring threads use neighboring elements.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The {count} {what} of this warp need {cost} sectors where {ideal} would do: their elements lie far apart.</source>
        <translation>
            <numerusform>The {count} {what} of this warp need {cost} sectors where {ideal} would do: their elements lie far apart.</numerusform>
            <numerusform>The {count} {what} of this warp need {cost} sectors where {ideal} would do: their elements lie far apart.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The {count} {what} of this warp need {cost} sectors, the least possible: neighbors use neighboring elements.</source>
        <translation>
            <numerusform>The {count} {what} of this warp need {cost} sectors, the least possible: neighbors use neighboring elements.</numerusform>
            <numerusform>The {count} {what} of this warp need {cost} sectors, the least possible: neighbors use neighboring elements.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The {count} {what} of this warp need {cost} sectors: neighboring threads are {distance} elements apart.</source>
        <translation>
            <numerusform>The {count} {what} of this warp need {cost} sectors: neighboring threads are {distance} elements apart.</numerusform>
            <numerusform>The {count} {what} of this warp need {cost} sectors: neighboring threads are {distance} elements apart.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The {count} {what} of this warp need {cost} sectors: neighboring threads use a column of {array}.</source>
        <translation>
            <numerusform>The {count} {what} of this warp need {cost} sectors: neighboring threads use a column of {array}.</numerusform>
            <numerusform>The {count} {what} of this warp need {cost} sectors: neighboring threads use a column of {array}.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The {count} {what} of this warp need {cost} sectors; {ideal} would do if they began at a sector&apos;s edge.</source>
        <translation>
            <numerusform>The {count} {what} of this warp need {cost} sectors; {ideal} would do if they began at a sector&apos;s edge.</numerusform>
            <numerusform>The {count} {what} of this warp need {cost} sectors; {ideal} would do if they began at a sector&apos;s edge.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Up to {cost} of the {count} {what} of this warp need different words of one bank: {cost} turns, not one.</source>
        <translation>
            <numerusform>Up to {cost} of the {count} {what} of this warp need different words of one bank: {cost} turns, not one.</numerusform>
            <numerusform>Up to {cost} of the {count} {what} of this warp need different words of one bank: {cost} turns, not one.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Up to {count} threads of this warp change the same element of {array}: one after the other.</source>
        <translation>
            <numerusform>Up to {count} threads of this warp change the same element of {array}: one after the other.</numerusform>
            <numerusform>Up to {count} threads of this warp change the same element of {array}: one after the other.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{count} of the {all} threads of this warp take this branch: the warp runs both sides one after the other.</source>
        <translation>
            <numerusform>{count} of the {all} threads of this warp takes this branch: the warp runs both sides one after the other.</numerusform>
            <numerusform>{count} of the {all} threads of this warp take this branch: the warp runs both sides one after the other.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{count} of {all} threads wait at the barrier; the others never come. On a card the block may hang here.</source>
        <translation>
            <numerusform>{count} of {all} threads waits at the barrier; the others never come. On a card the block may hang here.</numerusform>
            <numerusform>{count} of {all} threads wait at the barrier; the others never come. On a card the block may hang here.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Stage</name>
    <message numerus="yes">
        <source>, {n} are shown</source>
        <translation>
            <numerusform>, {n} is shown</numerusform>
            <numerusform>, {n} are shown</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{n} answers</source>
        <translation>
            <numerusform>{n} answer</numerusform>
            <numerusform>{n} answers</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{n} filters</source>
        <translation>
            <numerusform>{n} filter</numerusform>
            <numerusform>{n} filters</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{n} units</source>
        <translation>
            <numerusform>{n} unit</numerusform>
            <numerusform>{n} units</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{n} values</source>
        <translation>
            <numerusform>the value</numerusform>
            <numerusform>{n} values</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Step</name>
    <message numerus="yes">
        <source>Blue: read right. Orange: as another class. In brackets: this {label}, with {n} more.</source>
        <translation type="unfinished">
            <numerusform>Blue: read right. Orange: as another class. In brackets: this {label}, with {n} more.</numerusform>
            <numerusform>Blue: read right. Orange: as another class. In brackets: this {label}, with {n} more.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The images of the step go through the network as it is now, one like the other. It has learned from {n} steps so far.</source>
        <translation>
            <numerusform>The images of the step go through the network as it is now, one like the other. It has learned from {n} step so far.</numerusform>
            <numerusform>The images of the step go through the network as it is now, one like the other. It has learned from {n} steps so far.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{n} of the {all} are read right.</source>
        <translation>
            <numerusform>{n} of the {all} is read right.</numerusform>
            <numerusform>{n} of the {all} are read right.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>StepPage</name>
    <message numerus="yes">
        <source>The {n} images of this step</source>
        <translation>
            <numerusform>The {n} image of this step</numerusform>
            <numerusform>The {n} images of this step</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{n} of them are read wrong</source>
        <translation>
            <numerusform>{n} of them is read wrong</numerusform>
            <numerusform>{n} of them are read wrong</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>StudyEditor</name>
    <message numerus="yes">
        <source>{setting} ({n} values)</source>
        <translation>
            <numerusform>{setting} ({n} value)</numerusform>
            <numerusform>{setting} ({n} values)</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>StudyTraining</name>
    <message numerus="yes">
        <source>{n} of {total} runs have ended.</source>
        <translation>
            <numerusform>{n} of {total} run has ended.</numerusform>
            <numerusform>{n} of {total} runs have ended.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>TrainingTab</name>
    <message numerus="yes">
        <source>Training {study}: {epochs} epochs so far.</source>
        <translation>
            <numerusform>Training {study}: {epochs} epoch so far.</numerusform>
            <numerusform>Training {study}: {epochs} epochs so far.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{network}, {optimizer} {rate}, {data}, {n} epochs</source>
        <translation>
            <numerusform>{network}, {optimizer} {rate}, {data}, one epoch</numerusform>
            <numerusform>{network}, {optimizer} {rate}, {data}, {n} epochs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{n} epochs</source>
        <translation>
            <numerusform>one epoch</numerusform>
            <numerusform>{n} epochs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{n} filters</source>
        <translation>
            <numerusform>{n} filter</numerusform>
            <numerusform>{n} filters</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{n} runs before</source>
        <translation>
            <numerusform>before</numerusform>
            <numerusform>{n} runs before</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{n} units</source>
        <translation>
            <numerusform>{n} unit</numerusform>
            <numerusform>{n} units</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>UsePage</name>
    <message numerus="yes">
        <source>Your kernel was called {calls} times and took {share} of {seconds} s; with the program&apos;s own operator the training takes {own} s.</source>
        <translation>
            <numerusform>Your kernel was called once and took {share} of {seconds} s; with the program&apos;s own operator the training takes {own} s.</numerusform>
            <numerusform>Your kernel was called {calls} times and took {share} of {seconds} s; with the program&apos;s own operator the training takes {own} s.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{network} learns {n} images.</source>
        <translation>
            <numerusform>{network} learns {n} image.</numerusform>
            <numerusform>{network} learns {n} images.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>VerdictCard</name>
    <message numerus="yes">
        <source>The bands: the lowest and the highest of {n} runs that begin with different random weights.</source>
        <translation>
            <numerusform>The bands: the lowest and the highest of {n} runs that begin with different random weights.</numerusform>
            <numerusform>The bands: the lowest and the highest of {n} runs that begin with different random weights.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The lowest loss on the images kept aside (validation): {loss}, of {n} values.</source>
        <translation>
            <numerusform>The loss on the images kept aside (validation): {loss}.</numerusform>
            <numerusform>The lowest loss on the images kept aside (validation): {loss}, of {n} values.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>VerdictPage</name>
    <message numerus="yes">
        <source>{n} changes of one element one after the other</source>
        <translation>
            <numerusform>{n} change of one element</numerusform>
            <numerusform>{n} changes of one element one after the other</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{n} sectors per request, at best {least}</source>
        <translation>
            <numerusform>{n} sector per request, at best {least}</numerusform>
            <numerusform>{n} sectors per request, at best {least}</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Welcome</name>
    <message numerus="yes">
        <source>{n} minutes</source>
        <translation type="unfinished">
            <numerusform>{n} minute</numerusform>
            <numerusform>{n} minutes</numerusform>
        </translation>
    </message>
</context>
</TS>
