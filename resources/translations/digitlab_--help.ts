<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="--help" sourcelanguage="en">
<context>
    <name>AboutDialog</name>
    <message>
        <source>About DigitLab</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Build a small neural network, watch it learn handwritten digits, draw one and see what it reads.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy details</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>DigitLab is free software under the MIT license.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its window is made with Qt and PySide6, used unchanged under the GNU Lesser General Public License, version 3. They are shared libraries of their own in the folder PySide6: put another build of the same version there and the program uses it. Their source code is at {link}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Licenses…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show this text, or fold it away.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The built-in digits are drawn with a shape model made from “Pen-Based Recognition of Handwritten Digits” (E. Alpaydin, F. Alimoglu, UCI Machine Learning Repository, 1998), {link}; the strokes were clustered and reduced to principal components.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Versions and devices</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What it is made with, and their licenses</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ActivationsPage</name>
    <message>
        <source>Activations</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What every layer makes of this image: each small picture is the output of one filter, each square that of one unit. Blue is positive, orange negative.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{map}, row {row}, column {column}: {value}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Answer</name>
    <message>
        <source>? is no digit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>all answers are about equally likely</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no digit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no idea yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>perhaps {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>probably a {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>probably an {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>probably {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>surely a {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>surely an {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>surely {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the most similar one is {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name}, perhaps {other}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{percent} that all digits are right</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>AnswersView</name>
    <message>
        <source>A curve is drawn.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close this, and show the step “{step}”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Expected: {value}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The curve that was expected, and the real one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What was done</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What was expected</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What you did</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What you expected</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>expected</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>go there</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it was</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{step}: {text}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ArithmeticPage</name>
    <message>
        <source>(bias)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>(other channels)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>(products)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; output {f}(z) = {y}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>= products</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Arithmetic</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Channel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Column</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Column of the output in its map, from 0.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How one output is computed: each input times its weight, all products and the bias added up, and the activation of the sum.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Inputs, weights and products</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Row</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Row of the output in its map, from 0.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The largest products: {terms}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The layer whose output is computed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Unit or map</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Which channel of the layer&apos;s input is shown.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Which unit or map of the layer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>inputs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{unit}: sum z = {parts} = {z}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{unit}: the input itself, {y}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{unit}: the largest of these inputs, {y}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>× weights</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>AugmentationPreview</name>
    <message>
        <source>Augmented training images</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Top row: unchanged images. Below: two random changes of each, as in a training step.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>AugmentationSection</name>
    <message>
        <source>Again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Changes each training image a little, differently each time, so that the network does not memorize it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Large changes, for long training.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Light</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>None</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Original images, and two random changes of each.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show other random changes by the same amounts.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Small changes, which hardly harm any digit.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Strong</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Train on the images as they are.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Vary the ima&amp;ges (augmentation)</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Banner</name>
    <message>
        <source>Close this message (Esc).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy details</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy this message with its details.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dismiss</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>BenchmarkChart</name>
    <message>
        <source>Chart of the measurements</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>measured here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>published</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name}, published</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>BenchmarkPage</name>
    <message>
        <source>&amp;Block side</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;What</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Beside b&amp;usy programs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Block side</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a Python interpreter that has PyTorch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a Python interpreter that has PyTorch, to compare with it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a comparison and press Run: table and chart appear here while it is measured.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Comparison</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Convolutional network against PyTorch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cost of augmentation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dense network against PyTorch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Each device against plain loops</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>For the dense network: measure also while another program keeps each processor core busy.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>For the graphics card: threads along each side of a block of the naive kernels.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Matrix product and sum against size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measure this on all devices that are here, one after another.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>More options</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>P&amp;yTorch…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Quantity</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Quick leaves the largest sizes out; full has all that were published.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>S&amp;eed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Seed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Seed, block side, PyTorch and busy programs.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Si&amp;zes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sizes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Speed-up of workers; R²</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stopped; the measurements so far are kept.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Table</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The seed of all random numbers of the measurement.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time and accuracy against batch size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What makes the graphics card fast</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What to measure; the published figures are shown beside those of this machine.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Which column of the table the chart shows.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Which of the comparison&apos;s tables is shown.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>full</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>measuring…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>quick</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>some minutes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>under eight minutes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>under half a minute on two cores</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{what}. Takes {time}.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>BenchmarkTable</name>
    <message>
        <source>Measurements</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Canvas</name>
    <message>
        <source>Arrow keys move the pen, Space puts it down or lifts it, E changes to the eraser, Delete clears, a digit&apos;s key keeps the drawing as that digit.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Drawing canvas</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write a number here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no digit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{digit} {percent}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ChoicePart</name>
    <message>
        <source>first your choice</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ClassesPage</name>
    <message>
        <source>2 · precision · recall / (precision + recall).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A cell counts the images of its row&apos;s class that were read as its column&apos;s; {key} copies them all.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All &amp;mistakes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Calibration</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Class</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Classes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>F1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How often the network is right, by how certain it is.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How often the network is right, by how certain it is: on the dashed line it is exactly as often right as it says.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Images</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mean</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>Most often {right} is read as {read}: {n} ×, and {others} other pairs as often.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Most often {right} is read as {read}: {n} ×.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Of the images of this class, the share that is read as it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Of the images read as this class, the share that is one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Precision</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Precision, recall and F1 of each class</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Precision, recall and F1 of each class.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Recall</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Right</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show the mistakes of all classes again (Esc in the matrix).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Test images of the class.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Test images of the writer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The network&apos;s numbers are no longer finite: lower the learning rate.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The share that is read right.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The test images of the chosen cell, or all mistakes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The true class of the images.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What is shown beside the confusion matrix</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Who is read badly</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Who is read badly: the share that is right of each hand.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Who wrote the images.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Writer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Writers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>confidence, %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>expected error {error}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>read as</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>right, %</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>{n} images of {right} read as {read}, the most certain first.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{n} images of {right} read right, the least certain first.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{n} images, {confidence} certain, {right} right</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{n} mistakes, the most certain first. Choose a cell to see its images.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{right} of {all} test images are read right ({share}).</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
</context>
<context>
    <name>CompareTab</name>
    <message>
        <source>Compare</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compare: training</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Filter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Filter runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>New comparison…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Runs: {n}, {size}; no limit; trash {trash}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Runs: {n}, {size}; without a star {unstarred} of at most {limit}; trash {trash}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save what is shown as a page, a picture or a table.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Share…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show the runs that have these words in their row.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This run is no longer in the library.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Train with several values of a setting side by side.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{text}; cannot be read: {n}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Comparison</name>
    <message>
        <source>&amp;Options of the plot</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A line for each run across its settings and results.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>CSV of all curves (*-curves.csv)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Comparison of runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Curves</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Further pages, and what can be done with the selected runs.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Importance</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mistakes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>More</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Parallel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Parallel coordinates</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Results</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Share the comparison</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show another quantity, seconds instead of epochs, smoothed or logarithmic curves.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The curves of the selected runs in one plot.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The results of the selected runs side by side.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What the second of two selected runs reads differently from the first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Which of the settings that a study varies matter most.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ComparisonDialog</name>
    <message>
        <source>&amp;Train side by side</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All else is the same: {settings}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>New comparison</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sa&amp;ve…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save comparison</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save the comparison as a file, to send it or to train it without a window.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Saved as {path}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Studies (*.toml)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Train all of them, and show their curves in one plot.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>{n} runs; a part of the training images is kept aside to compare them (validation).</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Conclusion</name>
    <message>
        <source>, after {changes}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, which may be chance</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Epoch {kept} was the best one, so its network is kept</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It diverged in epoch {n} of {all}, so this is of epoch {kept}, the best one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It diverged in epoch {n} of {all}, so this is of the epoch before</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It explains {score} of the variance of the test values (R²).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Look inside</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Of its training images it reads {score}: it learns them by heart (overfitting).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One file for any telephone or computer, which reads what is drawn on it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>See the mistakes</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>See the {n} mistakes</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Share it as a page to draw on…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show in Compare</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show the runs of this study, with all their numbers.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show what the units have learned to look for.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show which test images are read wrong, and what is confused with what.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stopped in epoch {n} of {all}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stopped: so far, after epoch {n}, {text}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Take the settings with this value, to train with them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>That is as much as {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>That is no more than by guessing.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>That is {change} less than {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>That is {change} more than {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The runs of {study} stand side by side under Compare.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Train with several learning rates side by side.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Try other rates…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use {value}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What next?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>after epoch {n}, where it was continued</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no run has completed an epoch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>only the random start differs, so this is chance: {result}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the run before ({name})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{changes}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{mean} ({low} to {high})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{n} points</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{score} of the test images read right.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>{score} of {n} test images read right, {wrong} wrong.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>{text} Inside: {finding}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{text}, {reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{value} could not be trained</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{value} depends on the random start: {result}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{value} diverges: its numbers grow beyond all limits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{value} has not been trained</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{value} is as good within chance: {result}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{value} is still learning: {result}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{value} is too large: it learns nothing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{value} is too large: {result}, it jumps from epoch to epoch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{value} is too large: {result}, its runs differ widely</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{value} is too slow: {result}, and still learning</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{value} is too slow: {result}, it has hardly begun to learn</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{value} jumps from epoch to epoch: {result}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{value} learns best: {result}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{value} learns best: {result}, and still learns</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{value} learns more by heart: {result}, and {train} of the training images</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{value} learns nothing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{value} reaches less: {result}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{value}: {result}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ConfusionPage</name>
    <message>
        <source>Difference of the confusion matrices</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Orange: worse; blue: better.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reading the test images with both networks…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rows: true classes. Columns: what was read. Images more (+) or fewer (−).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Select two runs: here appears what the second one reads differently.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>“{second}” less “{first}”: {n} images fewer are read right.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>“{second}” less “{first}”: {n} images more are read right.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Contestants</name>
    <message>
        <source>Devices</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>To race workers too, let a group have several batches: “{setting}” in All settings.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Workers</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>{n} threads share the batches of a group on {device}.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{n} workers</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{n} workers need a group of at least as many batches.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ContinueDialog</name>
    <message>
        <source>&amp;Continue</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Device</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Epochs in all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A branch: a new run that begins with the epochs of this one, which stays as it is.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Another device makes a branch: its numbers differ in the last bits.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Another optimizer starts anew, and makes a branch.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Continue a run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Go back to the best epoch: a branch, with a folder of its own.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Go on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Go on where the run stopped.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Learning rate: {first} in epoch {next}, {last} in epoch {end}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The learning rate from here on; another one makes a branch.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The number of epochs in all, with those that are done.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Train it further with what is chosen here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Whether the schedule goes on as if the run had not stopped, or begins anew for the epochs left.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>begins anew</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>from the &amp;best epoch ({n})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>from the &amp;last epoch ({n})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>goes on to its end</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>{run}: {n} of {all} epochs are done.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
</context>
<context>
    <name>CrashDialog</name>
    <message>
        <source>&amp;Copy details</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Open its folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>An error occurred in DigitLab: {what}. You can continue; save the model if you need it, and send the details to whoever gave you the program.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Details of the error</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Something went wrong</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The log has more details: {path}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>CurveKeys</name>
    <message>
        <source>Draw it at the right with the mouse, or here with the arrow keys.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The arrow keys draw while this has the focus: right goes to the next epoch, up and down change the value, Page Up and Page Down by a tenth, Delete takes the curve away.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The arrow keys draw. Epoch {epoch}: {value}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The expected curve</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>CurvePart</name>
    <message>
        <source>Kept. You can draw it anew until the run.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>first the curve</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>CurveSketch</name>
    <message>
        <source>epoch</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>CurvesPage</name>
    <message>
        <source>1 − {score}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A logarithmic axis; for accuracies of the distance from the best value, 1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Accuracy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Axis</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose runs in the list: here appear their curves, named by what differs.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Curves of the selected runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How wrong the answers to the test images are.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lo&amp;garithmic</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Loss</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Quantity</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Quantity of the curves</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Smoot&amp;hing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Smooth the curves: the weight of the epochs before.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Smoothing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The quantity of the curves; the accuracy of values is R².</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The share of the test images that is read right.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What the curves are drawn over; seconds are those of training.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>and {n} more</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>by epoch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>by second</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>by step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>epoch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>error</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>seconds</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>test accuracy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>test loss</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>training accuracy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>training loss</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>validation loss</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Data</name>
    <message>
        <source>Built-in digits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fashion-MNIST</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>MNIST</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>My digits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rastrigin&apos;s function</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>DataBrowser</name>
    <message>
        <source>&amp;Augmented</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Next batch</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>A batch of {n} images: one step of training</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Change the images at random, as training does with the settings of augmentation.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Class</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Data</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Images</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Only the images of this class.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Only the images of this writer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Split</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Test images</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The data are being read…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The images of one step of training, in a random order.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Training images</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Which images are shown.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Writer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>all classes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>all writers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{label} — image {n}; a double click or Return puts it on the canvas.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{label}, by {writer}</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>{n} images</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>{title} has no images.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>DatasetPicker</name>
    <message>
        <source> or </source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Grid, points a side</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a data set</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose {folders}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Data set</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Data sets: {titles} ({patterns})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Download</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Download progress</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fetch this data set from a public mirror, once.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>File…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Folder…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>MNIST as a gzipped pickle</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop the download; what is there is kept.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The function is learned from a grid of this many points in both directions; more show more detail.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The images to learn from; a part of them is kept aside to test with.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>There are too few drawings of yours: keep {n} of one digit, or choose other data.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>a folder with a folder of pictures for each class</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a folder with the four IDX files of MNIST&apos;s format</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a table of numbers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>digits that this program saved</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>{n} drawings of yours; every sixth of a digit is kept to test with.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>{title} is not on this machine yet: download it, or choose the built-in digits.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>{train} images to learn from, {test} to test</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{train} lines to learn the last column from, {test} to test; inputs: {inputs}</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{train} points to learn from, {test} to test</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Destination</name>
    <message>
        <source>Change…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose another folder or name.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} in {folder}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} in {folder}; the file that is there is replaced</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Device</name>
    <message>
        <source>Plain loops, compiled, on one core: the readable way, and the slowest.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Thousands of threads at once on a graphics card.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Whole matrices at once, by the processor&apos;s own library for products.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>DevicePicker</name>
    <message>
        <source>The graphics card if one is available, else the CPU.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>auto</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the processor</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{device} (no {missing})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{device}, slower than usual</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{device}: {hardware}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>DevicesTab</name>
    <message>
        <source>A run is in progress: stop it first, because each would slow the other down.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Another measurement is running: stop it first, or wait for it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compare</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Comparisons</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Devices</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Devices: measuring</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Race</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The measurements of five published works, repeated on this machine.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What to measure</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Where the time goes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Where the time goes: which operators a step of training spends it in.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Which device learns fastest: the same run on several, side by side.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Dialog</name>
    <message>
        <source>Cancel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close this dialog (Esc).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Put the text on the clipboard.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show this folder in the system&apos;s file manager.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Dialogs</name>
    <message>
        <source>Exported as {path}.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>DigitFiles</name>
    <message>
        <source>Another file is being written or read: wait a moment.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Digits of a class (*.npz)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Digits of the class</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} has the digits of one writer: to train on them, open the files of several at once.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} is being read…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} is being written…</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>{n} digits of one writer are in {path}; to train on them, join those of several.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{n} digits of {writers} writers are in {path}.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{n} files are left out, the first of them: {reason}</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Document</name>
    <message>
        <source>change of width</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>clear</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>erase stroke</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stroke</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>DrawingHead</name>
    <message>
        <source>Again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Draw what you expect</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hold the mouse button and draw from left to right. The real curve comes afterwards.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Take the curve away, and draw it again; Delete does so where the arrow keys draw.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>DrawingPanel</name>
    <message>
        <source>&amp;Keep drawing as</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Redo {step}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Undo {step}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose “My digits” as data to learn from them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cop&amp;y what is read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Drag the cross</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Draw a digit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Draw a digit and see what the network reads.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Getting ready to read…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hold the mouse button and draw</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keep as</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>Kept as a {digit}: {n} of it, {all} of all digits.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Looking for ink in the picture…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Network that reads the drawing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No network is trained yet: train one, and it reads your drawings.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing to draw</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Raw: as it is drawn</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Read by</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save the drawing as this digit in the data set “My digits”, to train a network on your handwriting. On the canvas, the digit&apos;s key does the same.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shrink the canvas as it is, without cropping and centering the digit as MNIST&apos;s makers did: a small or displaced digit is then often misclassified.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The surface it has learned</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This is a &amp;{digit}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This network cannot read the drawing.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This network reads the drawing; choose another one here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Too little ink to read: draw a digit.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>With {least} of one digit “My digits” can be chosen as data.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Your drawing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stroke</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>DrawingPictures</name>
    <message>
        <source>All files (*)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open image</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>PNG picture (*.png)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pictures ({patterns})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save drawing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>drop image</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>open image</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>paste image</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>DrawingTools</name>
    <message>
        <source>A canvas twice as wide, for numbers of several digits.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Clear</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Draw with the left button; Space puts the pen down where the keyboard moved it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Empty the canvas (Delete); undo brings the drawing back.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Erase instead of drawing (E); the right button always erases.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Eraser</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How wide the pen is on the canvas ([ and ]). Digits are read alike with any width: their strokes get the usual one first, unless “raw” is chosen.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>More</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open image</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Paste image</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pen</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pen width</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pen width, pictures, a wide canvas, and keeping the drawing as a digit of yours.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Read a picture from a file; you can also drop it on the canvas.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Read the picture on the clipboard, such as a screenshot of a digit.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Redo</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Redo what was undone.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save drawing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save the drawing as a PNG file, as dark ink on white paper.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Undo</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Undo the last step.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Wide canvas</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{width} px</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>DrawnValues</name>
    <message>
        <source>After epoch {n}: {value}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What you have drawn</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not drawn yet</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Endings</name>
    <message>
        <source>All epochs are done</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No epoch was better for a while, so the best one was kept</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stopped in epoch {epoch}. The trained network is kept, and reads your drawings.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stopped in epoch {epoch}. The trained network is kept; see Results.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The run broke off: {advice}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The target R² is reached</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The target accuracy is reached</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The target error is reached</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{n} s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{reason}: R² {score} on the test set after {time} of training.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{reason}: {score} right on the test set after {time} of training.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>EpochModel</name>
    <message>
        <source>Epoch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How many images it trained on in a second.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How many points it trained on in a second.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Images
per s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Learning
rate</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One pass through all training data. ◆ marks the best: that with the lowest validation loss, or with the best test score where there is no validation.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Points
per s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Seconds</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Test
R²</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Test
accuracy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Test
loss</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The learning rate at the end of the epoch.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The mean loss on the test data after the epoch.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The mean loss on the validation data; patience depends on it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The mean loss while training in this epoch.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The share classified correctly while training.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The share of the test images that is classified correctly.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The share of the variance of the test values that the network explains; 1 is exact.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The time of this epoch&apos;s training, without evaluation.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Training
accuracy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Training
loss</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Validation
loss</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>EpochTable</name>
    <message>
        <source>Epochs</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ExerciseList</name>
    <message>
        <source>A kernel is a function that thousands of threads of a graphics card run at once. Write some in Python: each is checked here without a card, for races, barriers, wrong indices, wrong results, and what its memory accesses cost. Begin with the first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>About how long it takes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Exercise</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Exercises</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>In this order.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its title.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Minutes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open the exercise that is chosen in the list.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Progress</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The exercises are being read…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The kernel workshop</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What you have done of it.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ExercisePart</name>
    <message>
        <source>Choose this one.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Failure</name>
    <message>
        <source>An error occurred in the program: {what}. Nothing else was lost; copy the details to report it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is not enough memory for this: use a smaller network or a smaller batch.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Figures</name>
    <message>
        <source>time</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>{n} times slower</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
</context>
<context>
    <name>FileActions</name>
    <message>
        <source>&amp;Clear this list</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A setting is wrong: correct it first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All that DigitLab opens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Another file is being written or read: wait a moment.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Back to my settings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Data</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Digits of one or more persons</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Experiments (*.md)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Experiments with the network (*.zip)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Import it so</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Imported: {network}. Save model writes it as a model file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its network and settings are shown under Training.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Labs and experiments</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Layers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Models</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Models (*.safetensors *.digitlab)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Models of other programs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open &amp;recent</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open a folder: a run, data, a lab, or the answers of a class</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open it in the browser</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pages to draw on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pictures</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save experiment</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save settings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Settings (*.json)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Settings and answers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop the run first: it learns from other data.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop the run first: its settings are those under Training.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop the run first: the model was not imported.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop the run first: the network that learns reads your drawings.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Studies</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The model is saved as {path}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The settings are saved as {path}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The settings in {name} are shown under Training.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The settings under Training are not those of this model.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is nothing to save yet: train a network first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Which layers has the network?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} cannot be opened: choose a model, a run, settings, a study, a data set, a lab, answers or a picture.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} holds weights without the structure of the network, for example 6C5-MP2-16C5:valid-MP2-120N-84N-10N. Empty: the dense layers of the file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} is a web page, such as the page to draw on that Share writes: a browser opens it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} is being read…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} is open: see Results.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} reads your drawings now.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>FindBar</name>
    <message>
        <source>Close (Escape).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Find</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Find this text in the kernel. Return: the next place.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The next place.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The place before.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not found</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Finding</name>
    <message>
        <source>Choose ReLU or tanh in place of sigmoid, other initial weights, or fewer layers.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose smaller initial weights (He&apos;s), a lower learning rate, or fewer layers.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lower the L2 regularization.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lower the learning rate, or choose other initial weights.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Raise the learning rate, or train longer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>They hardly learn: choose smaller initial weights (Glorot&apos;s), lower the learning rate, or choose ReLU.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>They learn nothing more: lower the learning rate and train again, or choose leaky ReLU.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>They learn the same, too: start from random weights that differ, such as He&apos;s or Glorot&apos;s.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>all units of layer {layer} compute the same</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the gradient explodes: in layer {layer} it is {factor} times larger than in the last one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the gradient vanishes: in layer {layer} it is {factor} times smaller than in the last one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the numbers of the network are no longer finite</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the weights have hardly changed since the start, by {share}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the weights of layer {layer} have shrunk to {share} of their size at the start</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{share} of the units of layer {layer} are never active (dead)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{share} of the units of layer {layer} are saturated</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Findings</name>
    <message>
        <source>A network that learns with your kernel.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Look</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Race</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Step through the run, forwards and back.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Verdict</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What is wrong, and what the accesses cost.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What to see of the kernel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Your kernel beside the solution or another file.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Gallery</name>
    <message>
        <source>Test images</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>read as {read}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{caption} ({sure}; {others}) — test image {n}; a double click or Return puts it on the canvas.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{right} read as {read}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Gestures</name>
    <message>
        <source>Add a layer here (Insert)</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>GradeDialog</name>
    <message>
        <source>&amp;Save…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A double click on a person shows the answers. A click on a heading sorts by it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Answers to “{lab}”</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Done</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>How many of the {n} parts are done.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remark</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rest the pointer on a name for the name of the file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run attempts again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save a page for the class, and the table for a spreadsheet.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save table and page</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The page is saved</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The table, for a spreadsheet, lies beside it: {table}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Train each attempt again from its seed, and compare it with what the file says.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Web page, with the table beside it (*.html)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What is odd about the file, and which attempts do not count.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What running the attempts again has given.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What the class expected</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Who did what</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Wrong ideas, at the first try</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it was</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{n} of {all}</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>{n} of {all} runs the same to the bit</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>{n} × {idea}: “{choice}”</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>HandInDialog</name>
    <message>
        <source>&amp;Next lesson</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Save</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All that is handed in; nothing else about you or this computer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Answers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Answers (*.json)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Done</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give the file to your teacher, as you agreed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hand in</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hand in: {lab}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Of each kernel the best text that you have checked is handed in.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file&apos;s text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file&apos;s text, for those who want to see it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The next lesson asks: {title}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This is what your teacher will see. Nothing is sent: a file is saved.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write the file now.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Your answers are saved</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Your name or number</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Your name or the number that your teacher gave you; it may stay empty.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the run was not started</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{ask} Done.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{ask} Not answered yet.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{ask} Not done yet.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{ask} Not reached yet, best {result} (attempts: {n}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{ask} Not right yet (attempts: {n}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{ask} Not tried yet.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{ask} Reached with {result} (attempts: {n}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{ask} Right at attempt {n}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{ask} Right at the first attempt.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>{n} of {all} runs are complete</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{n} runs of {network}, epochs: {epochs}</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
</context>
<context>
    <name>HealthPage</name>
    <message>
        <source>Gradients</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Health</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing is wrong: every layer is active and gets a gradient.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Outputs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What the strips show</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What the strips show: weights, outputs, or gradients of the loss by the weights.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Whether all parts of the network can learn. Each strip shows from left to right how the values of a layer have spread since the start: the darker, the more values.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>HeatMap</name>
    <message>
        <source>{value} at {x}, {y}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>HistogramStrip</name>
    <message>
        <source>{moment}: {share} of the values lie between {low} and {high}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ImportancePage</name>
    <message>
        <source> with </source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>An analysis of the variance of all {n} combinations; another seed gives other shares.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>Estimated from {n} runs by a forest that predicts {share} of what it did not see; ± is the standard error.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>How much of the differences of the validation loss each setting, or two together, explains.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Importance</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Importance of the settings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Setting</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>The importance is shown when all combinations of a grid, or {n} runs, are complete, with different results that the settings explain.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
</context>
<context>
    <name>InputBar</name>
    <message>
        <source>A test example</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It is {name}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its value is {value}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Number of the test example</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show the network your drawing, or an example of the test set.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The drawing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The network that is shown: {text}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What the network is shown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Which example of the test set; the arrow keys go to the next one.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>InputError</name>
    <message>
        <source>--block {block}: a block&apos;s side is a whole number from {minimum} to {maximum}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>--confusion needs a model that reads classes; this one predicts values: leave it out.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>--device {name}: unknown; choose one of {names}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>--device {reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>--device {text}: give the name of a device, and a number of workers after a colon.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>--filter and --sort go with the list: leave them out.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>--from {epoch} continues a run: name it with --resume.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>--minutes {given:g}: give more than 0 and at most {most:g}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>--out goes with compare: leave it out.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>--out {path}: give a name that ends in .html or .csv.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>--repeat {given}: give 1 to {most} attempts of each person, or -1 for all.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>--repeat {n}: give a whole number from 1 to {maximum}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>--restart-schedule continues a run: name it with --resume.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>--resume continues with the data of the run: leave out {names}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>--run {folder}: this run is continued in its own folder; leave --run out.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>--sort {column}: choose one of {columns}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>--steps {n}: give a whole number of at least 1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>--{name} is missing: write {what}, “{example}”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A cluster needs Dask, which is not installed: run the program from its source folder after `{command}`.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A file “portable” lies beside the program, so it keeps its files in {path}, which cannot be made ({reason}): make the folder writable, remove the file “portable”, or set the variable DIGITLAB_HOME to a folder.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A path is empty: name a file or a folder, or leave the option out.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A race needs at least two different contestants: choose another device or worker count.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A script reads pictures of 28x28, and this model does not: choose the suffix .onnx or .pt.py.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>A text of {count:,} characters is too long: use at most {most:,}.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>A {what} has at most {most} characters.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It was saved with settings that this version does not know ({names}): update the program.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Learning your digits failed: the network&apos;s numbers grew too large.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Line {line}, {title}: {error}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Line {line}: {reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Line {line}: {text}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No Dask scheduler answers at {address} ({reason}): start one with `python -m dask scheduler` in the program&apos;s folder, and give the address that it prints.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ONNX files need the package onnx: install it by `{command}`, or choose another kind.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>PyTorch could not: {reason}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>PyTorch did not answer ({reason}): give --torch-python a Python that has it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Read as hidden layers: {text}. For a complete network, begin it with {number}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Read as hidden layers: {text}. For a complete network, end it with {number}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Several workers died while they trained it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Studies need Optuna, which is not installed: run the program from its source folder after `{command}`.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The Dask scheduler no longer answers: start it again, then continue the study, which is kept.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The answers take {size}; at most {most} can be kept.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The array {name} would have a side of {side}: change its shape or the sizes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The arrays take {size:,} bytes, more than {most:,}: use smaller sizes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>The block {block} has {count} threads: a card takes from 1 to 1024 (and 64 in z).</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>The check could not be started ({reason}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The check with OpenBLAS {family} ended early.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The checkpoint was taken at image {position:,} of an epoch, but these data have {images:,} images to learn from: choose the run&apos;s own data.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The cluster cannot train runs of this program ({reason}): start scheduler and workers by `python -m dask` in the program&apos;s folder, with the same versions as here, then continue the study.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The data {on} do not fit the network of the task.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The device {device} cannot race: {reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The drawing cannot be read with this network: {error}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file has no strides and no padding. As the network is named, {parts}. If the network was trained with others, such as 6C5:valid or 6C5:s2, its answers are wrong.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file has several kernels of the exercise: choose one of {names} with --kernel.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The grid has {runs:,} runs; at most {most:,} can be made.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The grid {grid} has more than 65,535 blocks along y or z, which no card takes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The grid {grid} is too large to check: use smaller sizes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The kernel has faults: {fault} Repair it first; “workshop check” shows them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The kernel is too long to hand in: at most {most:,} characters.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The kernel left an array ({reason}): check it with these sizes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The kernel stands for no operator of a network: give --operator, one of {known}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The lab asks for no answer to {id}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The last layer has the activation {activation} before the softmax; there must be none.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The last layer must be a dense one, with a unit for each output.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>The layer {layer} needs weights of shape {wanted} and {count} biases, and has {found} and {biases}.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The layer {layer} needs {count} running means and as many variances, none of them negative.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>The loss grew, and the network has learned nothing: lower the learning rate.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The loss is no longer a finite number: lower the learning rate, or choose other initial weights.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The model takes inputs of shape {wanted} and gives {outputs} outputs, {title} has {shape} and {found}: choose data like those it learned from.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The model&apos;s answers are not finite numbers, so it cannot be measured: train it again, or choose another model.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The name “{name}” of the data or of a class is empty, not UTF-8 text, longer than 255 characters, or has line breaks or control characters, which a model file cannot hold: rename the file or folder.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The network has learned nothing yet: a constant answer would be about as good. Train longer, or change the learning rate, the activation or the initial weights.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>The network has {count:,} parameters, and a script holds {limit:,}: choose the suffix .onnx.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The network has {count:,} parameters, and an ONNX file holds {limit:,}: choose another kind.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>The network&apos;s answers are not finite numbers, so it cannot be used: lower the learning rate and train it again, or choose another model.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The operator has no “{name}”: it has {known}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The output cannot be written ({reason}): free some space, or write it elsewhere.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The packaged program has no t-SNE: run the program from its sources.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The picture shows no ink: take one of dark strokes on light paper.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The plain Python loops could not be timed: {reason}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The prediction {id} must be {kind}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The preset “{preset}” is not for {data}, from which a network learns {kind}: choose another preset or other data, or give {setting:network}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The preset “{preset}” is not for {data}, from which a network learns {kind}: choose another preset or other data.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The program may use only {limit} of address space and needs {least}: raise the limit, with “ulimit -v unlimited” for instance.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The reference is no Python ({reason}): write functions with NumPy.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The reference is too long: at most {most:,} characters are read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The reference of {name} cannot be computed ({reason}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The run was made: a prediction cannot be changed afterwards.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The study is no TOML file ({reason}): correct it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The study varies nothing: give [vary] with at least one setting.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The study {name} is running in another program: wait for its end.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The study&apos;s name “{name}” cannot be a file&apos;s name: use up to 60 letters, digits, spaces and -_.()+.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The text of the function is not known: give the text of a file instead.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The training could not be started ({reason}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The trash holds no run {name}: choose one of {runs}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The variable DIGITLAB_HOME is {path}, which is no folder and cannot be made one ({reason}): set it to a folder, or remove it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The variable QT_QPA_PLATFORM is {name}, and Qt has no such window system here: remove the variable, or set it to one of {known}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The window needs system libraries that are missing ({files}): install them with the system&apos;s package manager; or {without}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The window needs {name}, which is not installed: start it with “{command}”, or run “pip install {package}”; or {without}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There are no drawings of yours: draw a digit and press its key.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There are no files of digits (.npz) in {paths}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is a study {name} with other contents already: give this one another name.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is another study {name} now: delete that one first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no bench “{name}”: choose one of {names}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no device “{device}”: choose one of {names}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no display here, so no window can open; {without}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no file {path}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no picture to paste: copy one, or drop an image file on the canvas.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no preset “{name}”: choose one of {names}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no run “{name}”: choose one that `runs` lists, or the folder of one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no value of {names}: give it in sizes, “{example}”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is too little ink to keep: draw a digit first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>These runs learned from different data: select two runs on the same data.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>These runs predict values: only runs that read classes have a confusion matrix.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This is no function: give a kernel, or the text of a file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This model does not read pictures of {side}x{side}: choose another model.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This network has {parameters:,} parameters and would need {need} of memory to train; this machine has {have}. Use fewer units.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This network would need {need} of memory for the outputs of its layers for one image; this machine has {have}. Use fewer units.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Type a number from {low:g} to {high:g}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Type a number of at most {high:g}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Type a number of {low:g} or more.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a kernel needs “{key}”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>args is empty: write the kernel&apos;s arguments, “out: float32[n], a: float32[n]”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>args “{part}” cannot be read: write “name: float32[n]”, “name: float32 = 0.5” or the name of a size.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>args “{part}”: an array has one to four dimensions.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>args “{part}”: “{type}” is no type: choose one of {types}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>args: “{name}” is given twice.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>expect “{part}” cannot be read: write “out = a + 10”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>reference, line {line}: only “import numpy as np” and “import math” are allowed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>reference, line {line}: the name “{name}” is not allowed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>reference, line {line}: write x = x ** y and x = x &lt;&lt; y, without “**=” and “&lt;&lt;=”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>reference, line {line}: {what} is not allowed: use functions, for, if and NumPy.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>reference, line {line}: “{name}” is no argument of the kernel ({names}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>reference, line {line}: “{name}” is not allowed{hint}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>reference: no function has the name of an argument ({names}): the array that a function computes gives it its name.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>runs: the sampler {sampler} needs a number of 1 to {most} runs.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>sampler: choose one of {samplers}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>seed: must be 0 to {most}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>settings.validation: a study compares runs by their validation loss; set it to more than 0.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>sizes “{part}” cannot be read: write “n=1,7,8” or “n=1,7 m=3,5”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>sizes “{part}” is too large: use at most {most} digits.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>sizes: {count:,} combinations are too many: at most {most}.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>sizes: {names} appears neither in args nor in grid or block.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>t-SNE needs the package openTSNE: install it by `{command}`.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the lab&apos;s folder has no skeleton.py: write what the pupil begins with.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the time for this person was over</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>there are {count} wrong kernels: at most {most}.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>vary.{name}: a grid needs values; give a list or `count` in the range.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>vary.{name}: a range needs a setting that is a number, and limits of at most {most:g}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>vary.{name}: count must be 2 to {most}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>vary.{name}: from {low} to {high} is no range: `from` must be less than `to`, and more than 0 with `log`.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>vary.{name}: give a list of 1 to {most} values, or a range such as {{ from = 0.001, to = 0.1, log = true }}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>vary.{name}: leave the setting out instead of giving no value.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>wrong “{name}” is not in the lab&apos;s folder.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{action} needs a run: name one that `runs` lists, or `last`.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{action}: unknown; choose one of {actions}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{address} is not a file on this computer: save it first, then drop the file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>{count:,} of the {total:,} pictures in {path} cannot be read: {names}. Remove them, or save them again.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>{error}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{folder} does not exist: create it, or choose another folder.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{folder} holds a run already: choose another folder, or go on with --resume {folder}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{folder} holds no labs: choose a folder with Markdown files.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{images:,} digits of {writers:,} writers are too many for one file: at most {most_images:,} digits of {most_writers:,} writers are read. Leave some files out.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>{images} has {count:,} images but {labels} has {label_count:,} labels: the counts must be equal.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>{key} “{name}” is not in the lab&apos;s folder: put it there.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{key}.{name}: give numbers of {known}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{key}: must be {kind}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{key}: unknown in a study; choose one of {keys}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>{layer} needs an image, but the layer before it gives {count} plain numbers; put convolutions and pooling before the first dense layer.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>{layer}: a kernel of size {size} is not offered: choose 1, 3, 5, 7, 9 or 11.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{layer}: a {size}x{size} kernel is larger than its {height}x{width} input.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{layer}: dropping {percent} % leaves too little: choose D1 to D95.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{layer}: pooling of size {size} is not offered: choose {letters}2 or {letters}3.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{layer}: pooling {size}x{size} of a {height}x{width} input leaves nothing; remove it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{layer}: with cross-entropy the last layer is a softmax and takes no activation of its own; remove “:{activation}” or choose squared error.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{message}; see {prog} --help.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} cannot be downloaded: choose {names}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} has only the class {only}: at least two are needed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} is in [settings] and in [vary]: leave it out of one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} is varied twice: remove one of the rows.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} would have {length} for {size}, which is {known} elsewhere: the kernel&apos;s arguments are not those of the operator.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} would need {need} of memory, of which this machine has {size}: choose fewer or smaller data sets.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} “{text}”: give one to three numbers, x first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name}: name each data set of a sum once.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name}: the side of the grid must be a whole number from {minimum} to {maximum}, as in rastrigin:400.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name}: the {split} split has label {bad}, but labels must be 0 to {last}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name}: the {split} split has {inputs:,} images but {targets:,} labels; the counts must be equal.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name}: the {split} split is empty.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name}: training inputs have shape {train}, test inputs {test}; both must be the same size.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name}: {other} has other classes or images than {first}; only data sets of the same kind can be added.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{network} would multiply {work:,} times for a step and is not run: at most {most:,} are allowed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{network} would need {need} and is not run: at most {most} are allowed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{n} files were given: open one file or folder at a time, or several files of digits.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{part} cannot be written to this kind of file: choose another suffix, or another network.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} begins with {number}, an IDX file of {content} with {magic}: choose the right file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} belongs to a run: choose another file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} belongs to the data of this run: choose another file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} belongs to the program: choose another file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} cannot be read ({reason}): choose another data set.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} cannot be read ({reason}): choose {kind}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} cannot be read ({reason}): download it again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} cannot be read as ONNX ({reason}): choose another file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} cannot be read as a picture ({reason}): save it again, as PNG for instance.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} cannot be read as a run ({reason}): choose another folder.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} cannot be read as a run: choose another folder.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} cannot be read as a table of epochs ({reason}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} cannot be read as answers ({reason}): choose {kind}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} cannot be read as digits ({reason}): choose {kind}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} cannot be read as settings ({reason}): choose {kind}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} cannot be read: {reason}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} cannot be unpacked ({reason}): send it again, or choose {kind}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} cannot be used ({reason}): choose another file or folder.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} cannot be used as the database of a study ({reason}): give the study another name.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} cannot be written ({reason}): choose another folder.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} cannot be written: its name is too long. Choose a shorter one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} could not be moved ({reason}): close the programs that use it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} could not be written ({reason}): choose another folder or free some space.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} could not be written ({reason}): close the program that has it open, or choose another folder.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} does not exist: choose a folder with IDX files.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} does not exist: choose {kind}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} does not fit its own description: “{name}” should be {shape} and is {stored}. The file is damaged or was changed; choose another.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} exists: choose another folder.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} has labels other than the whole numbers 0 to 9: choose another file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} has more than the {expected:,} bytes that its header states: download it again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} has more than {limit:,} bytes, the most that is read: choose fewer images.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} has more than {limit:,} images: choose the original mnist.pkl.gz.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} has no images or labels: choose another data set.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} has no kernel “{name}”: it has {known}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} has no weights of shape {shape} for the layer {layer}; it has {found}: correct the network.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} has pictures and no folder for each class: to learn from them, sort them into folders such as {example}; to read one, open {picture}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} has pixels outside 0 to 1: choose the original mnist.pkl.gz.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} has the digits of one writer only: merge the files of several (data merge), so that it can be tested on hands that it has not seen.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} has too few pictures: there is none for the {split} split; put at least six into a subfolder.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} has values that are not finite; choose another file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>{path} has {count:,} operators, more than {limit:,} that are read: choose another file.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{path} has {count} lines of numbers: at least 5 are needed to learn and to test.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>{path} has {images:,} images but {labels:,} labels in one of its pairs: the counts must be equal.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} has {inputs} inputs and {outputs} outputs, and a network here has one each: choose another file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} has {pixels:,} pixels, more than {limit:,}: shrink the picture first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} holds answers to “{title}”, which is not here: put the file of this lab beside them, or open the lab first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} holds no answers to a lab (.json).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} holds no files of answers (.json).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} holds no lab: it needs a file lab.md.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} holds no layers: choose another file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} holds no layers: choose {kind}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} holds no run: there is no run.json in it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} holds too many folders: a lab has at most {most:,}, and {levels} within each other.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>{path} holds {count:,} files of {size}; a lab has at most {most:,} files of {limit}.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{path} holds {count:,} files; at most {most:,} are read.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>{path} holds “{name}”, which would leave the lab&apos;s folder or is no name of a file on all systems: do not use it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} is a folder: choose {kind}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} is a folder: name a file in it, such as {example}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} is a link and is not read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} is a model of this program already: open it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} is a pickle of torch.save, which is not opened because it could run code: save the weights by safetensors.torch.save_file(net.state_dict(), &quot;net.safetensors&quot;) and import that file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} is a pickle that uses {name}: only NumPy arrays are read, choose another file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} is cut short: its header states {expected:,} bytes, it has {length:,}; download it again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} is damaged ({reason}): download it again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} is damaged: {reason}. Choose another file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} is empty: choose a folder with IDX files such as {name}.gz.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} is empty: choose a table of numbers, one example per line.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} is empty: choose {kinds}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} is larger than {limit}, the most that is read: choose {kind}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} is no checkpoint: choose another run.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} is no folder: give the folder with the files of answers.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} is no model but “{found}”: choose a model.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} is not UTF-8 text.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} is not UTF-8 text: choose a study&apos;s TOML file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} is not UTF-8 text: choose {kind}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} is not a data set: choose {kinds}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} is not a pickle of three pairs of images (n, 784) and labels (n): choose the original mnist.pkl.gz.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} is not a picture: choose a {formats} file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} is not a regular file but a pipe, socket or device: choose {kind}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} is not a regular file: choose another name.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} is not a safetensors file: its header would be longer than the file. Choose a model that was saved by this program.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} is not a text file in UTF-8: save the table as CSV (UTF-8).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} is not gzipped: choose the original mnist.pkl.gz.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} is not in the library: remove the folder yourself.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} is not marked: the files before it take {most} of memory. Mark it in another folder.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} is the file to import: choose another name for the model.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} is the model itself: choose another file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} is too large ({reason}): shrink the picture first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} is too long for a lab: at most {most:,} characters are read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} is too short for an IDX file of {content}: download it again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} lacks {name} (or {name}.gz): put the four IDX files of the data set into it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} lies in the folder of the run, which keeps the model anyway: choose another folder.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} shows no ink: choose a picture of dark strokes on light paper.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} takes inputs of shape {shape}: needed are floats, (n, channels, height, width) or (n, features).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} unpacks to more than {limit} MB: choose the original mnist.pkl.gz.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} was not deleted ({reason}): close the program that uses it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} was not saved by this program: it has no “{key}”. Choose a file that was.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} was not written, because it could not be opened again ({reason}): change the model.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} was not written, because it could not be opened again: {reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} was not written: a variance is negative.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} was not written: the network&apos;s numbers are no longer finite, so it can read nothing.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} was saved in form {found} by version {version}, and this program reads form {known}: update it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} will need {size}, but its disk has only {free} free: choose another or make room.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} would be larger than {most}, the most that is read: save it without the network (.md).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path}, column {column}: most values differ too little from each other, or one too much from the others, for the column to be standardized; multiply it by a large number, correct it or remove it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path}, column {column}: what is to be learned must be below {limit:.0e}; divide the column by a large number.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path}, line {line}, column {column}: “{cell}” is not a number; correct it or remove the line.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path}, line {line}: %s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path}, line {line}: a block “{name}” must not stand in a list or a quotation.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path}, line {line}: a lab has one block “lab”: remove this one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path}, line {line}: a lab has one title: begin a step with “## {text}”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path}, line {line}: a prediction is a choice, a number or a curve: give one of choices, number, curve.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path}, line {line}: a prediction needs “choices”, “number” or “curve”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path}, line {line}: a task needs a goal: one of {goals}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path}, line {line}: a title has at most {most} characters.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path}, line {line}: choices: give 2 to {most} different ones.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path}, line {line}: choices: write each as [[choices]] with “text”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path}, line {line}: devices: give 1 to {most}, without “variants”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path}, line {line}: each choice and title is a text or number of at most {most} characters.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>{path}, line {line}: epoch: the run has {count} epochs.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>{path}, line {line}: epochs: a run of a lab has at most {most}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path}, line {line}: figures.{name}: give one number for each of the runs.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path}, line {line}: id “{id}” is given twice: give each part its own.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path}, line {line}: id “{id}”: write small letters, digits and “-”, at most 40.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path}, line {line}: it is no lab: a lab has a block “```lab” with “version = {known}”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path}, line {line}: minutes: must be from 0 to {most}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path}, line {line}: no choice is right: write “right = true” below one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path}, line {line}: no run follows that shows what was predicted: add a block “run” after it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path}, line {line}: the block “lab” has no version: add “version = {known}”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path}, line {line}: the block “{kind}” cannot be read ({reason}): write “key = value”, texts in quotes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path}, line {line}: the choice “{text}” is wrong: name its “misconception” and answer it in “reply”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path}, line {line}: the lab has more than {most} parts: divide it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path}, line {line}: the lab has no title: begin with a line “# Title”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path}, line {line}: the line is too long: divide it after {most:,} characters.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path}, line {line}: the step is too long: begin another one (“## …”) after {most:,} characters.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path}, line {line}: the text is nested more than {most} times.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path}, line {line}: there is only one column; separate the columns by ; or tab or , and let the last one be what is to be learned.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>{path}, line {line}: variant: the run has {count} variants.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>{path}, line {line}: variants: give 1 to {most} tables of settings.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path}, line {line}: vary.{name}: give a list of values; for the seed also “true”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path}, line {line}: version {version}: this program reads labs of version {known}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>{path}, line {line}: {count} columns where the lines before have {columns}.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>{path}, line {line}: {key} of a choice: must be {kind}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path}, line {line}: {key}: must be a number up to {most:.0e}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path}, line {line}: {key}: must be at least {least}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path}, line {line}: {key}: must be {kind}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path}, line {line}: {key}: {reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path}, line {line}: {path} is too long for a lab: at most {most:,} characters are read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path}, line {line}: {reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path}, line {line}: {what} “{name}” is not in the lab&apos;s folder: put it there, and name it from there.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path}, line {line}: “{given}” is no {what}: choose one of {known}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path}, line {line}: “{given}” is no {what}: did you mean “{near}”?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path}: a model file ends in .safetensors.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path}: its description cannot be read ({reason}). The file is damaged; choose another.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path}: its numbers cannot be read ({reason}); choose another run.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path}: its numbers cannot be read; choose another run.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path}: its weights are larger than {limit}, the most that is read: choose another file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path}: the batch normalization “{layer}” has a weight and no bias: give it one of zeros.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path}: the layer “{layer}” ({what}) is none of the network; only dense layers, convolutions and batch normalizations have parameters here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path}: the layer “{layer}” ({what}) is none that this program has, so the file cannot be imported.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path}: the layer “{layer}” is a convolution, and a state dictionary does not tell the pooling and strides between layers: name the network, for example 6C5-MP2-16C5:valid-MP2-120N-84N-10N.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path}: the suffix says what is written, and this one is not known: end the name with {suffixes}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path}: there is no such data set, folder or file; choose {names}, or {kinds}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path}: there is no such data set, folder or file; did you mean “{near}”?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path}: {reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path}: “{after}” takes {inputs} inputs, and “{before}” before it gives {outputs}: name the network.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path}: “{name}” cannot be read ({reason}); choose another file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path}: “{name}” has numbers of type {dtype}, but 32-bit floats (F32) are needed; choose another file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path}: “{name}” has values that are not finite; choose another file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path}: “{name}” lies in another file, which is not in the folder of the model or is a link; save the model in one file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{python} could not be started: {reason}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{runs} is being trained: stop the training first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{run} has ended ({state}) after {epochs} epochs: there is nothing to continue. For more, set {setting:epochs} to more than {epochs}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{run} has ended ({state}): to continue it, change {setting:epochs} or its target.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{run} has no checkpoint of its {epoch} epoch: there is nothing to continue.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{run} is being trained by another program: wait for its end.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{run} was ended before its first checkpoint: begin it again with train --run {path}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{run} was ended before its first checkpoint: begin it again with train.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{setting} cannot be changed when a run is continued: leave it out, or start a new run.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{setting} changes images, but these data are points: set it to 0.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{setting} {batch}: the last batch of an epoch of {images:,} images has a single one, and {layer} needs two, since it compares them; choose another size, such as {other}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{setting} {batch}: {layer} needs at least two images in a batch, since it compares them; use larger batches.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{setting} {part}: write a step, a colon and the rate from that step on, such as 300:0.01, or 300:schedule for the schedule&apos;s rate.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{setting} {part}: write the epochs before the schedule, a colon and how many epochs it takes, such as 10:20.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{setting} {value}: must be a finite number.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{setting} {value}: must be a number.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{setting} {value}: must be a whole number.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{setting} {value}: must be {limits}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{setting} {value}: training would need {need}, more than half of this machine&apos;s {have} of memory. Use a smaller batch, fewer batches per update or a smaller network.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{setting} {value}: unknown; choose one of {choices}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{setting} {value}: write the decimal point as a point: {better}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{setting} {workers}: the workers divide the batches of one update among them; set {setting:group} to {workers} or a multiple of it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{setting} {workers}: {device} already computes a whole batch at once and has one owner; set {setting} to 1, or choose another device.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>{setting}: {count:,} changes are too many, at most {most:,} can be made: leave some out.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>{table}.{name}: no such setting; choose one of {names}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{text}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{title} are too few to learn from: draw and keep at least {minimum} of one digit.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{title} could not be downloaded ({reasons}): try again later, put the four files into {folder}, or use the built-in digits.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{title} is not on this machine: download it ({program} data fetch {name}), set DIGITLAB_DATA to a folder that holds {name}/ with its four IDX files, or use the built-in digits.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{title}: cancelled; downloading again continues from here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{what}: {reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{workers} worker threads are not run: at most {most} are allowed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“{name}” may be any of {runs}: give the whole name.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“{text}” divides by 0.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“{text}” is nested too deeply.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“{text}” is no expression of sizes, as in “(n + 7) // 8”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“{text}” is no expression of sizes: use numbers, names of sizes, + - * // %, min and max.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“{text}” is no whole number: divide with //.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“{text}” is too large.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“{text}”: the power is too large.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“{text}”: “{name}” has no value: give it in sizes, “{name}=1,7,8”.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Inside</name>
    <message>
        <source>Layer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Layer {n}: {layer}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Layer {n}: {layer}, {shape}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>class {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>epoch {n}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>map {n}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>scores before the softmax</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>start</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>unit {n}</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>{n} maps of {size}</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{n} units</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
</context>
<context>
    <name>InsideTab</name>
    <message>
        <source>Draw a digit under Training, or choose a test example above.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Inside</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No network has learned yet: train one, or open a model.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The data are being read…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This needs test examples like those that the network learned from: choose its data under Training.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This view is for networks that classify images.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What to look at</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>IntegerField</name>
    <message>
        <source>off</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Keeping</name>
    <message>
        <source>For the next start this run could not be kept, because {folder} cannot be written ({reason}): File ▸ Save model ({key}) saves the network elsewhere.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>KeptRuns</name>
    <message>
        <source>{run}: {result}. Press to remove it from the plot.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>KernelBench</name>
    <message>
        <source>Changed since the last check: press Check.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Complete the kernel, then press Check.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Python (*.py)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Race against a file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save as page</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Solution</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Solution of “{title}”</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The kernel runs…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The kernel still runs for something else. Press Cancel first, then Check.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The text before your changes is being checked. Press Check to check this one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Web page (*.html)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Your kernel is in {path}. It is checked each time you save it.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>KernelEditor</name>
    <message>
        <source>A kernel that passes, with its explanation; after your first check.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All exercises</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Back to the list.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Begin anew</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Begin anew, with the text that the exercise gives. Undo brings yours back.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>End the check.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Own editor</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run the kernel in a process of its own, and say what is wrong with it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show solution</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The kernel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Train a small network with this kernel in place of the program&apos;s own, and let it read your drawing; after a check without fault.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write the kernel to a file, and open that in your own editor. Each time you save it, it is checked.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>KernelPart</name>
    <message>
        <source>Right, and kept. It could need less of the memory: see the verdict.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Right, and kept: try what you like, this text is handed in.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show this kernel in the Workshop tab, and write it there.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The last check found: {faults}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>To the kernel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write it at the right, then press Check.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>LabActions</name>
    <message>
        <source>&amp;Check a lab…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Mark answers of a class…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Read the lessons…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check a lab</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Go on with it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Labs (*.md *.zip)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mark answers: the folder with those of the class</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ne&amp;w lab…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>You have begun the lab “{title}”; your answers are kept.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{title} (90 minutes)</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>LabCheckDialog</name>
    <message>
        <source>&amp;Check again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Open in editor</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Stop</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Try it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Being checked: each run of the lab is trained…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check of {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check the file as it is now.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Faults: {n}. They are marked with ✗; change the file, then check again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Findings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No fault was found.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open the file in the program that this system uses for Markdown files.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open the lab in the window, as pupils see it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Something is being trained: stop it first, then check again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop the check.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stopped: the lab was not checked to its end.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file has changed: check it again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This system has no program for such files: open {path} in any editor.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What the check has found, with the lines of the file.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>LabHead</name>
    <message>
        <source>&amp;All settings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Fold the text away</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Start again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Begin this lab again: the answers so far are put aside.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close the lab</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close the lab; your answers are kept, and what was shown before comes back.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fold the text away, for more room; the button at the top right shows it again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fold the text away, start again, show all settings.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Menu of the lab</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show all settings below the text, not only those of this step.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Step {n} of {all}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>LabNavigation</name>
    <message>
        <source>Back</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hand in…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Next</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The next step.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The step before.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Train the network as this step sets it.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>LabOpening</name>
    <message>
        <source>Files are being read: {done} of {total}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} holds no answers to a lab (.json): choose the folder with those of your class.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>LabPanel</name>
    <message>
        <source>A run is in progress: stop it first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Back to my answers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Closed until you have said what you expect, and the lab has run it: it would give that away.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lab</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open it again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop the run first; then open the lab again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The experiment “{title}” is set up.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The lab begins again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The lab begins again. Your answers so far are in {path}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The lab “{title}” is closed, and what was shown before it is back. Your answers are kept.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>LabProgress</name>
    <message numerus="yes">
        <source>The text of this lab has changed since you began it: {n} of your answers fit no longer and are left out here; they are still in {path}.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>The text of this lab has changed since you began it; all your answers are kept.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Your answers cannot be read, and new ones are not kept: {reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Your answers could not be kept: {reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Your earlier answers to this lab cannot be read, so it begins anew. Nothing was deleted: they are in {path}.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>LabRuns</name>
    <message>
        <source>A run that was continued is no attempt, since its settings alone do not repeat it: press Train.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The curves of the lab appear here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This run does not count for the lab: nothing in this step asks for it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This run does not count for the lab: the task is about other data.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>expected</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>expected: {run}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>run {n} of {all}: {run}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>test</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the best of {n} runs: {run}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>training</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>validation</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>{n} runs</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
</context>
<context>
    <name>LabText</name>
    <message>
        <source>Text of the lab</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>LaunchPicture</name>
    <message>
        <source>; thread {place}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Block {place}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Grid</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lane {lane}, bank {n}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lane {lane}, sector {n}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lanes × {n} banks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lanes × {n} sectors</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Press Check: then step through the run here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The launch: threads, elements, sectors or banks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Thread {place}, lane {lane} of warp {warp}: {what}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Threads of the block</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>at this line</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>does not come to the barrier</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>local, of this thread</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not at this line</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not written yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>waits at the barrier</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Layer</name>
    <message>
        <source> %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> maps</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> units</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>11×11</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1×1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>2×2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>3×3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>5×5</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>7×7</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>9×9</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Activation of this layer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Average pooling</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Average pooling: the mean of each small block of pixels.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Batch normalization</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Batch normalization: every unit or map is brought to mean 0 and variance 1 over the batch before its activation, so that deep networks learn faster.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Block size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Convolution</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Convolution: small filters that are applied at every position of the image.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dense</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dense: every unit computes a weighted sum of all inputs.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Distance between two positions of a filter: 2 gives maps of half the size.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dropout</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dropout: random inputs are left out while training, against overfitting.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Filter size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Maps</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Number of filters; each gives one output map.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Number of weighted sums of the inputs.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Only one number of each block of this size is passed on.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Padding</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pooling</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pooling: the maximum of each small block of pixels.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Share of the inputs that each training step leaves out at random.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Share to drop</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stride</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The function applied to each weighted sum: the run&apos;s activation unless the layer has its own.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Units</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Whether zeros are added around the image, so that the maps keep its size; without them, filters stay inside it, and the maps are smaller.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Width and height of each filter in pixels.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>average pooling {block}×{block}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>batch normalization</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>clipped-leaky-relu</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>dropout {percent} %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>gelu</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>leaky-relu</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>linear</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no zeros</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>pooling {block}×{block}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>relu</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>sigmoid</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stride 1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stride 2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>tanh</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>zeros around</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{maps} maps {size}×{size}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{units} units</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>LayerCard</name>
    <message>
        <source>As a text, for those who know it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Brings each unit or map to mean 0 and variance 1, so that deep networks learn faster.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>Each adds up all {n} numbers before it, with weights of its own: {weights}.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Each looks at {height} × {width} places of all {n} maps, everywhere with the same weights: {weights}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Each looks at {height} × {width} places of the image, everywhere with the same weights: {weights}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Gives {shape} numbers, by {n} multiply-adds for one image.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Leaves out random numbers while it learns, so that no unit relies on a few others.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Move back</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Move forth</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Move the layer towards the answers (Alt+Right)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Move the layer towards the input (Alt+Left)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Only the largest number of each small square goes on.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove the layer (Delete)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Settings of the layer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The whole network as a text, for those who know it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>move, or drag it</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>{n} weights</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{n} weights in all</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
</context>
<context>
    <name>LayerForm</name>
    <message>
        <source>Kind of layer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The activation that is chosen for all layers of the run.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} (default)</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Lesson</name>
    <message>
        <source>32 banks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A whole layer in one kernel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Convolution, and the edge of the picture</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Counting together</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Do the initial weights matter?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Does it read what it has not learned from?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Every number with every number</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Few threads, many elements</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Gradients: many threads, one sum</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How large should a batch be?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Learning rate, fitting and overfitting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>More threads than elements</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Neighbors in memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One thread for each element</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pooling: the largest of four</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rows and columns</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sharing within a block</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Softmax and the loss</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The product of two matrices</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The program&apos;s own product</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The step: an update of the parameters</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The sum of a block</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The transposed operand</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tiles</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What can a network without a hidden layer do?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What do momentum and Adam gain?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What does the learning rate do?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What is overfitting, and what helps?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Why 99 % is not 99 %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Why convolutions?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Why is one program faster than another that computes the same?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Why the graphics card is faster</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Why was it so hard to train deep networks?</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>LessonCard</name>
    <message>
        <source>Open this lesson: you say what you expect, then it runs.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>{n} minutes</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
</context>
<context>
    <name>LimitDialog</name>
    <message>
        <source> MB</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;At most</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Empty the trash…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Save</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>At most</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Empty the trash</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keep this limit, and move the runs beyond it to the trash.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove the deleted runs from the disk for good.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove the runs in the trash ({n}, {size}) for good?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Space for runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What runs without a star may take on the disk; 0: no limit.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>When the runs without a star take more than this, the oldest go to the trash. A run without a star leaves the trash for good after {days} days. Runs with a star are never moved or removed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no limit</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>LivePlot</name>
    <message>
        <source>1 − {score}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Press Train: the curve appears here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>best epoch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>epoch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>error, %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>rate {rate}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>test</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>training</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>training, not smoothed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>validation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>▲ up to {value}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>LookPage</name>
    <message>
        <source>&amp;Block</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Thread</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>(only those of the first steps were kept)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A color for each lane of the chosen thread&apos;s warp. Pale: the other threads. Gray: a value is there. Red frame: a race.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Any step of the run.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Back to the first order</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Block</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Go to the race</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Go to the step of the one thread of the race, then to that of the other.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One step back (Left).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One step forward (Right).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Step through the same launch, really run so that the second thread of the race came first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Step {n} of {all}: line {line} {what}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The block that is shown; a click on its square chooses it, too.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The first step.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The last step.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The other order</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The recorded run is damaged, so it cannot be shown. Press Check again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The thread of the block whose variables are shown; a click on its square chooses it, too.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The threads of this block do nothing that is recorded.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Thread</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Thread {place}:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>changes {array}, atomically</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no variables yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>reads {array}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>takes a branch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>waits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>writes {array}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>MainWindow</name>
    <message>
        <source>&amp;About DigitLab…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;As the system</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Clear drawing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Compare: all that was trained</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Dark</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Data…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Devices: race, profile, comparisons</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Fit the plots to the run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Full screen</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Graphics cards</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Keys…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Light</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Manual…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;My digits…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;New comparison…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Open…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Paste image</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Presenter mode</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Reset layout</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Save model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Tour…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Train</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Usual text size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Wide canvas</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Workshop: write kernels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All &amp;settings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All un&amp;its and filters</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Both</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose data that are there, and correct the settings first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Continue on the CPU</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy command</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Curve</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Drop a lab, answers, a model, a run, a study, a data set or a picture of a digit.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>High &amp;contrast</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>La&amp;rger text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lessons</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Network</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Network and curve</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open &amp;folder…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open a lab or an experiment</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open a model of another program</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open a picture</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open a study</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open digits, also to join them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open settings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>S&amp;hare…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>S&amp;maller text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save e&amp;xperiment…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save model &amp;as…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save setti&amp;ngs…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Settings, layout and drawing cannot be kept for the next start, because {path} cannot be written ({reason}). It is tried again with each change.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Share the curves</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Share the results</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Share the table of epochs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show the curve alone, large.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show the drawing and the network alone.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show the network, and the curve below it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show the text of the lab again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show {tab}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Text of the la&amp;b</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Text of the lab</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The settings before were not for these data: those of “{preset}” are shown instead.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>These values are being compared. Train is free again at the end.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What the tab Training shows</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{view} alone</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ManualWindow</name>
    <message>
        <source>&amp;Back</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Lessons</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Manual</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The document {path} is missing.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>MapPage</name>
    <message>
        <source>Colors of the classes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Each point is a test image; images that the layer finds alike lie close together. Crosses are mistakes, the large star is your drawing.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How the outputs of the layer become two numbers: principal components show the largest differences, t-SNE shows which images are alike.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Map</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Map of the test set</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Method</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Principal components</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Test image</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Test image {n}: a {right}, read as {read}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Test image {n}: a {right}, read right.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The chosen test image</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The layer whose outputs place the images.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The test image that is shown and ringed; a click on a point chooses it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The two directions hold {first} and {second} of the variance of the layer&apos;s outputs.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This layer gives the same outputs for all test images, so there is nothing to arrange: its units are dead or saturated. Health shows them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>computing…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>t-SNE</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>t-SNE is being computed; this takes some seconds.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>t-SNE takes seconds: it is shown when the run has ended.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>t-SNE: images that lie close together are alike for the layer; large distances mean nothing. Your drawing is placed among the images, which stay where they are.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>MatrixModel</name>
    <message numerus="yes">
        <source>Of the {n} images of {name}, {share} are found (recall).</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Of the {n} images read as {name}, {share} are one (precision).</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>{n} of {all} images of {right} were read as {read} ({share}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{n} of {all} images of {right} were read right ({share}).</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>MatrixTable</name>
    <message>
        <source>Confusion matrix</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>MeasurementPage</name>
    <message>
        <source>A setting is wrong: correct what is marked in red on the left.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a folder for the tables and charts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>E&amp;xport…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Progress</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save the tables as CSV and JSON and the charts as PNG and SVG.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sto&amp;p</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop it; the measurements so far are kept.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The data set is not on this machine yet: download it, or choose another.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Written to {folder}: {files}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>preparing…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>reading the data…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>starting…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stopping after this measurement…</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ModelSelector</name>
    <message>
        <source>Built-in dense network</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Built-in network</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Last run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Network in training</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Network with my digits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The canvas is disabled during this run: its network cannot read drawings.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The chosen data are not drawn. Train: then what the network has learned is shown here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The newest network cannot read drawings. Choose digits as data, and an earlier network reads what you draw.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{network}, {moment}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>NetworkEditor</name>
    <message>
        <source>(character {at})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Network, as text</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>{n} multiply-adds</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{n} multiply-adds an image</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{n} parameters</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
</context>
<context>
    <name>NetworkPage</name>
    <message>
        <source>Click on a unit or map, or use the arrow keys, to see what it does.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Layer {n}, {unit}: output {value}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Layer {n}, {unit}: outputs up to {value}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Network</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The values that flow from the pixels to the answer. Lines are the strongest connections: a blue one raises the unit at its right end, an orange one lowers it.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>NetworkWords</name>
    <message>
        <source>no hidden layer</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>{n} filters</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{n} units</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
</context>
<context>
    <name>NewLabDialog</name>
    <message>
        <source>&amp;Create</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A lab to begin with is written: it has each kind of part once, with an explanation. Any editor changes it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Folder of a lab (*)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Name of its folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>New lab</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>New lab: the name of its folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The folder is made, and must not exist.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write the lab, and check it.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Number</name>
    <message>
        <source>{number} %</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>NumberField</name>
    <message>
        <source>off</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>NumberPart</name>
    <message>
        <source>Type the number that you expect.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What you expect</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>first your number</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Operator</name>
    <message>
        <source>A matrix product: every unit sums up all its inputs, each times a weight, then applies the activation to the sum.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A product of inputs and errors, summed over the batch: how each weight should change.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A product with the transposed weights: passes each unit&apos;s error back to its inputs.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Activation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Activation, error backward</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Adds an equal pull towards zero to each weight&apos;s gradient.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Advance to the next batch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Applies the activation function to each sum.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Average of the group</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Average pooling, error backward</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Average pooling, forward</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Averages the gradients of the group&apos;s batches.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Batch normalization, error backward</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Batch normalization, forward</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Batch normalization, own gradient</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Batch normalization, statistics</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bias gradient</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Brings each unit or map to mean 0 and variance 1, then scales and shifts it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Change the images</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compares each output with 1 for the right class and 0 for the others.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compares each output with its target.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Computes the mean and the variance of each unit or map over the batch.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Convolutions, error backward</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Convolutions, filter gradient</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Convolutions, forward</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dense layers, error backward</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dense layers, forward</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dense layers, weight gradient</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Difference of elements</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Divides each block&apos;s error among its positions.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dropout, error backward</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dropout, forward</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fetch the batch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keeps the largest number of each small block, so that the next layer has less to do.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>L1 regularization</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Loss and its gradient</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Moves every weight and bias a little against its gradient.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Moves every weight and bias against its gradient, divided by the running size of its gradients.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Moves every weight and bias by a step of its own, from the mean and the spread of its gradients.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Moves every weight and bias, and keeps a part of the last step.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Moves the position in the epoch to the next batch.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Multiplies each error by the activation&apos;s slope at the sum.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Multiplies every patch of the image by the error at its output, and sums up: how each filter should change.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Multiplies numbers of two arrays one by one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Passes each block&apos;s error to the position of its largest number.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Passes errors back only where the unit was not set to zero.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Passes errors back, also through mean and variance, to which every example contributed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Picks the batch&apos;s images and their answers out of the data set, in this epoch&apos;s random order.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pooling, error backward</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pooling, forward</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Product of elements</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sets random units to zero, so that the network does not rely on single ones.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shifts, rotates or distorts each image a little, differently each time.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Slides small filters over the image and multiplies at every position: by far the most multiplications of a step.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Slides the rotated filters over the errors, to pass them to the maps below.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Softmax</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Subtracts numbers of two arrays one by one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sums each unit&apos;s errors over the batch: how its bias should change.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sums errors over the batch: how scale and shift should change.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Takes the mean of each small block, so that the next layer has less to do.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Turns the outputs into probabilities and computes the error of each.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Turns the outputs into probabilities.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Update by Adam</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Update by RMSProp</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Update of the parameters</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Update with momentum</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>OperatorDialog</name>
    <message>
        <source>First kernel: one thread for each element</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No card is needed to read them. Exercises 11 to 20 of the Workshop lead from the first to the last.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reference: a plain loop on the processor</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The kernel that the program trains with</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{title}: how it is computed</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>OwnDigitsDialog</name>
    <message>
        <source>&amp;Cancel learning</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Delete</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Export…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Learn my digits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Relabel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Save as a file…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Undo</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, </source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A {digit}: {path}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All drawings are saved as one file, to give away.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancelled: the network is as before.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Delete the chosen drawings.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Delete the network that learned last; the one before reads.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Digits (*.npz)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export my digits to a folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Exported as {path}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It no longer refuses other drawings, because your digits would be among them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keep the chosen drawings as another digit.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Learn</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Learn my digits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Let “{name}” learn {drawings}: {kept}?

A drawing with a wrong label would spoil it: relabel or delete it first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>My digits</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>My digits: {a} of {n} before, {b} of {n} after.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>My drawings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Next</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No network reads drawings yet.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>On the canvas, a digit&apos;s key keeps the drawing as that digit; a network can learn them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Progress</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save all drawings as one file with your name or number, to give away.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save my digits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Saved as {path}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop learning; the network stays as it was.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Test digits: {a} before, {b} after.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The drawings that you kept, and the digit that each shows. Delete removes the chosen ones.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The network before reads your drawings again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This is a &amp;{digit}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Train this network on your drawings for some seconds, mixed with other digits so that it forgets nothing. The network before is kept.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write all drawings to a folder as the four IDX files of MNIST&apos;s format.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Your drawings are read by: {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Your name or number, for the file:</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>{n} drawings</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>{n} of the digit {digit}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Painted</name>
    <message>
        <source>the picture could not be written</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ParallelPlot</name>
    <message>
        <source>A line for each selected run. Blue: lowest loss; orange: highest.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Parallel coordinates of the runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>R² of the test</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Test</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Validation loss</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{run}; loss {loss}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>PersonDialog</name>
    <message>
        <source>Run again: {result}.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Plot</name>
    <message>
        <source>Curve</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Return shows the values as a table.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show all of the curves again (double click in the plot).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Values as a table</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name}: {first} at {start}, {last} at {end}; between {low} and {high}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{plot}: values</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>PlotZoom</name>
    <message>
        <source>&amp;Zoom to the end</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>L&amp;ogarithmic</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show loss and error on a logarithmic axis, on which small differences at the end are seen.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show where the curve ends, enlarged, instead of the whole run.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show where the curve ends, enlarged; press again for the whole run.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Zoom to the end</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>PredictPart</name>
    <message>
        <source>Keep this as your prediction; what comes out is said then.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>That is what I expect</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The run has begun: it cannot be changed any more.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>You can change it until the run.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>PresenterBar</name>
    <message>
        <source>Clear</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Empty the canvas (Ctrl+Backspace); undo brings the drawing back.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>End presenting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show menus, settings and tables again (F12).</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Preset</name>
    <message>
        <source>Blog: CNN on Numba CUDA</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Classics</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Coursework: Rastrigin&apos;s function</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>From the sources</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fully connected, Adam</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>LeNet-5, in its modern form</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Learns by heart</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lecture: Nielsen&apos;s network</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Small convolutional network</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Start here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Thesis: clipped leaky ReLU</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Unicamp: convolutional</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Unicamp: fully connected</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>PresetBox</name>
    <message>
        <source>A network and settings that are known to work, to start from.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>My own settings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Preset</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ProfilePage</name>
    <message>
        <source>&amp;Where</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A step is made of some ten operators: products of matrices, the loss, the update. Press Measure: each is timed by itself, on copies of the network, and shown as its share of a step.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A step of {network} on {data}: {batch} images, {optimizer}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A step takes {step} ms, so {speed} images a second. The largest share: {name}, {share}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Calls</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Device to measure</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How it is computed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Means over {steps} steps, ± half the distance of their quartiles. The times of the operators add up to {timed} ms, because each is timed alone; the time of the step is measured without this timing.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measure</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Operator</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Operators</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run some steps of the network on this device and time each operator by itself.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Share of a step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show formula, loop and kernels of the operator that is chosen in the table.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Where the steps are run and timed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{network} on {data}, {device}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{time} ± {spread}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>QuestionPart</name>
    <message>
        <source>Answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose an answer first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give this answer (Return).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No. {reply}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Right. {reply}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>RacePage</name>
    <message>
        <source>A race needs at least two contestants: tick another one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A&amp;xis</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Against a file…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Against the solution</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Against time the faster device is ahead; against epochs all learn nearly the same.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Axis</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compare your kernel with that in another file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compare your kernel with the exercise&apos;s solution.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Contestant</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Contestants</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Count</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Each contestant&apos;s own clock, which runs only while it computes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How often the race is run: the speed is the median, with its spread.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Images/s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lines: while learning, smoothed. Marks: on the test split, after each epoch.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No card answers here, so there are counts only.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Progress</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Race</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Re&amp;peat</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Repetitions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Seconds</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Seconds on {card}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stopped before two contestants had trained a step.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stopped; so far: {text}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Test</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The kernel that yours is compared with.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The other</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>These counts are of the text before your changes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tick two or more contestants and press Race: each trains the network on the left from the same seed, and the curves show which one is ahead.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Train the network on each contestant, from the same seed, and compare their speed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Verdict</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What all contestants together still need at their present speed; testing comes on top.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What is counted in the largest launch.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Your kernel.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Yours</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>about {time} left</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>epochs</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>groups of {n} batches</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>right</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>testing…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>time, log</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>wrong</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>{network} on {data}; {epochs} epochs in batches of {batch}, seed {seed}</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
</context>
<context>
    <name>RacePlot</name>
    <message>
        <source>R²</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Score of each contestant</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>accuracy, %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>epoch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>epoch {x}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>seconds of its own clock</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>seconds of its own clock, logarithmic</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{x} s</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>RaceResults</name>
    <message>
        <source>images a second</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>points a second</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>{device}, {n} workers</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>{one} learns as fast as {other} ({rate} against {slow} {unit}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{one} learns {times} times as fast as {other} ({rate} against {slow} {unit}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{speed} ± {spread}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>RegressionPage</name>
    <message>
        <source>Each dot is a test point, predicted against actual value; on the dashed line both are equal.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Error</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Learned</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Learned minus true: orange where the prediction is too low, blue where it is too high, and no color where it is right.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Predictions</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>R² {r2} on {n} test points; the predictions have a root mean square error of {error}.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>R² {value}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The function to learn, over both inputs; bright is high.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The network&apos;s numbers are no longer finite: lower the learning rate.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The network&apos;s prediction at each point, in the colors of the true picture.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>True</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>actual</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>input 1, standardized</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>input 2, standardized</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>predicted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{actual} predicted as {predicted}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Replay</name>
    <message>
        <source>Play the run again, epoch by epoch.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Replay</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The epoch that plot, drawing, Results and Inside show: from the random start to the end.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>after epoch {n}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>at the start</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>end</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>epoch {n}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>start</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ResultsPage</name>
    <message>
        <source>Best epoch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Best test accuracy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Epochs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Last test accuracy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Results of the selected runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>State</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Test loss</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The results of the selected runs, and the settings in which they differ.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time of training</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Training loss</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Validation loss</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ResultsTab</name>
    <message>
        <source>Computing the first results…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>E&amp;xport…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give the results away: the numbers as CSV and what is seen here as PNG.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open the tab Results first: they are computed there.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Results</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Results on the test set appear here once a network has been trained: which digits it confuses and the images it reads worst, or for regression its predictions against the actual values.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The data to test this model on are being read…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This model does not fit the chosen data: choose the data it learned from, and open it again to see its results on their test split.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>RunActions</name>
    <message>
        <source>A device is being measured: stop it first, because a training would falsify the times.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A device is being measured; training would falsify the times.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A run is in progress: stop it first; one thing is trained at a time.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Back to my settings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Continue</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Return to the schedule</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop measuring</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop what is running first: the run was not continued.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The last run, {network} on {data}, was interrupted: the program ended while it trained.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The last run, {network} on {data}, was stopped before its end.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The learning rate follows the schedule of the run again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The learning rate is {rate} from now on, and the schedule ({schedule}) is off. This is recorded with the run.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The learning rate is {rate} from now on. This is recorded with the run.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The settings of this run are shown under Training.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This run reads your drawings now; its settings are shown above.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{run} is open; its settings are shown above.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{run} reads your drawings now; its settings are shown above.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“{name}” was stopped before its end.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>RunCommands</name>
    <message>
        <source>&amp;All columns</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Continue…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Delete</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Limit…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Open</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Star</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Undo delete</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A run that is being trained cannot be deleted: stop it first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give the current run a name.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keep the selected runs whatever the limit is, or no longer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Let the network of the selected run read the drawing, and test it under Results.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Move the selected runs to the trash.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Move what was deleted last back into the list.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Re&amp;name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Set how much disk space runs without a star may take, and empty the trash.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Set up a new comparison with the settings and the values of the selected one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show settings, state, losses, size and notes of the runs, too.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show the settings of the selected run under Training, with the rates that were typed while it ran.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Train the selected run for more epochs, or what is left of a comparison.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Undo</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use as ne&amp;w…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use se&amp;ttings</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>{n} runs are in the trash.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>{path} is no longer listed; the folder stays where it is.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>RunControls</name>
    <message>
        <source>&amp;Pause</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Train</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Full speed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Let the run end after the epoch that it is in; it can be continued.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One &amp;step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pause</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pause the run, or continue it (F6).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Resume</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Slow motion: how many batches are trained in a second, also while a run trains.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Speed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>St&amp;op</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Start training with these settings (F5).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop after this epoc&amp;h</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop the run and keep the trained network (Shift+F5).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Train</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Train on one batch, then pause (F7).</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>{n} batches a second</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
</context>
<context>
    <name>RunCurves</name>
    <message>
        <source>best epoch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>highest R²</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>highest accuracy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>lowest validation loss</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>RunPart</name>
    <message>
        <source>First say what you expect.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>First type your name or number at the beginning of the lab.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run {n} of {all} is being trained: {run}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The run is being trained.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Train the network as this step sets it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>first press Run</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>{fast} is {n} times as fast as {slow}.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{n} of {all} runs are complete: press Run to go on. It is handed in as it is.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
</context>
<context>
    <name>RunPlots</name>
    <message>
        <source>&amp;Table of epochs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Accuracy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Accuracy and l&amp;oss</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Accuracy, %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Both</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Loss</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Loss and accuracy, one below the other.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>R²</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show loss and accuracy, one below the other.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show the numbers of every epoch below the plot.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The share of the images that is read right, by epoch.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The values of the curves at the pointer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What training minimizes: how wrong the answers are, by epoch.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Which plot is shown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>accuracy, %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>epoch {x}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>loss</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>RunProgress</name>
    <message>
        <source>Epoch {n}: {score}, test loss {loss}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Progress of the run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>epoch {n} of {all}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>paused</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>preparing the data…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>preparing…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>reading the data…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>test R² {value}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>test accuracy {value}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{speed} images/s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{speed} points/s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{time} left</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>RunResult</name>
    <message>
        <source>The accuracy on the test set, which it has not learned from: of the last epoch, or of the best one where a run with patience keeps its network.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The color of this run&apos;s curve on the test set.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The run whose curves are shown: {run}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The settings have changed since.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Train shows what the new settings do, beside this run.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>RunTable</name>
    <message>
        <source>; a branch of {run} after epoch {epoch}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A setting in which the runs differ.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>At epoch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Best, %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Data</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Data set</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Epochs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How often all training images were gone through.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>In what the runs of a comparison differ.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Loss</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Network</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Note</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>State</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Test accuracy, %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The best epoch.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The data set.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The layers of the network.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The loss on images kept aside, in the last epoch.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The loss over the epochs, which should fall: validation, or test without a validation split.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The name you give a run; at first its main settings. F2 changes it, Space gives it a star.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The seconds of training, without the tests; of several runs their sum.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The share of the test images that is read right; of a study the highest, of repetitions the mean.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The test accuracy of the best epoch: by validation loss, or by this without it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time, s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Trained</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Validation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What differs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What it takes on the disk.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>When the run began, and how it ended if not after its last epoch.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Whether the run has ended, and how.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Your remarks. A double click changes them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>done</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ended early</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>failed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>interrupted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is training</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no improvement</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not begun</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>start {n}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>target reached</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>today {time}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>training</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>training, or interrupted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{done} of {all}</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>{name}: {n} runs</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{n} runs</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{setting}: {n} values</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{text}, {n} times each</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>{when}, {state}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>SavedDialog</name>
    <message>
        <source>Done</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show in folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} in {folder}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name}, {size}, in {folder}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>SchedulePreview</name>
    <message>
        <source>Epoch {epoch}: learning rate {rate}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Learning rate of each epoch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{first} in epoch 1, {last} in epoch {epochs}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Sentence</name>
    <message>
        <source>All threads of this warp go the same way: the branch costs nothing.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>All {count} threads of the block have come to the barrier: what one wrote before it, all can read after it.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>All {count} threads of this warp use the same element of {array}: one sector serves them all.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>All {count} threads of this warp use the same word of {array}: one turn serves them all.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Each thread has its own copy of {array}: no other thread can see it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No thread of this warp is at this line now.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>No two of the {count} {what} of this warp need different words of one bank: they take one turn.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Only one thread of this warp uses {array} at this step.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Race: {one} {does} {what} while {two} {did} it at line {line}: nothing orders them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Race: {one} {does} {what} while {two} {did} it, too: nothing orders them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Right.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The other order, really run: {one} {does} {what} before {two} {did} it. At the end {result} is {other}, where the first order gave {value}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The other order, really run: {one} {does} {what} before {two} {did} it. Nobody has written there yet, so a card finds anything; here it is 0. At the end {result} is {other}, where the first order gave {value}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The other order, really run: {one} {does} {what} before {two} {did} it. Nobody has written there yet, so a card finds anything; here it is 0. With these numbers both orders give the same result; with others they may not.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The other order, really run: {one} {does} {what} before {two} {did} it. With these numbers both orders give the same result; with others they may not.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>The {count} {what} of this warp lie in one sector of 32 bytes: neighboring threads use neighboring elements.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The {count} {what} of this warp need {cost} sectors where {ideal} would do: their elements lie far apart.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The {count} {what} of this warp need {cost} sectors, the least possible: neighbors use neighboring elements.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The {count} {what} of this warp need {cost} sectors: neighboring threads are {distance} elements apart.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The {count} {what} of this warp need {cost} sectors: neighboring threads use a column of {array}.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The {count} {what} of this warp need {cost} sectors; {ideal} would do if they began at a sector&apos;s edge.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Two threads, {one} and {two}, write the same value to {what}: their order changes nothing.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>Up to {cost} of the {count} {what} of this warp need different words of one bank: {cost} turns, not one.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Up to {count} threads of this warp change the same element of {array}: one after the other.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>You expected {expected} after epoch {epoch}; it was {value}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>You expected {expected} after epoch {epoch}; it was {value}. Your curve moved for too long.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>You expected {expected} after epoch {epoch}; it was {value}. Your curve settled too early.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>You expected {expected}; it was {value}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>You expected “{expected}”, and so it is.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>You expected “{expected}”; it is “{right}”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Your curve is close: {expected} after epoch {epoch}, where it was {value}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>at most {value} epochs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>at most {value} parameters</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>at most {value} seconds of training</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>changes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>reads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>test accuracy of at least {value}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>test loss of at most {value}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>thread {thread}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>thread {thread} of block {block}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>writes</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>{count} of the {all} threads of this warp take this branch: the warp runs both sides one after the other.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{count} of {all} threads wait at the barrier; the others never come. On a card the block may hang here.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>{reply}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Setting</name>
    <message>
        <source>Activation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Adam</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Batch size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Batches per update</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Distorts each image smoothly by about this many pixels (Simard et al. 2003).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Elastic</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Epochs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Epochs per step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Exponential and cosine schedule: the learning rate at the end, divided by that at the start. Step schedule: the factor at each step.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Final share of rate</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>GELU</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Glorot</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>He</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hidden units</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How a gradient becomes a step: SGD follows it; momentum also keeps a part of the last step; Adam scales the step of each parameter; RMSProp divides by the running size of each parameter&apos;s gradient.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How many batches are averaged for one update; workers divide them among them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How many images one step learns from: small batches step often, large ones compute faster.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How many threads compute the batches of one update at once, one core each.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How often training goes through all images.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How the learning rate falls from epoch to epoch.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Initial weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>L1 regularization</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>L2 regularization</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Leans each image by up to this many pixels per pixel, like the slant of handwriting.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Learning rate</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Learning rates from given steps on, such as 300:0.01, 600:schedule. A rate that is typed during a run is added here when the run is repeated.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Loss</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Momentum</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Moves each image by up to this many pixels, differently each time.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nesterov</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Network</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Optimizer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Patience</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pulls all weights towards zero by the same amount, so that those that are of little use stay near zero.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pulls weights towards zero, so that the network relies on many pixels rather than on a few.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>RMSProp</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rate changes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ReLU</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rotation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>SGD</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>SGD with momentum</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Scale</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Schedule</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Schedule begins</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Seed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shear</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shift</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Step schedule: the number of epochs between two steps of the rate.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop after this many epochs without a better validation loss, and keep the best epoch.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop once the test accuracy (or R²) reaches this value, 0.95 for 95 %.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop once the training loss of an epoch falls to this value.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stretches each image by up to this share along each axis, 0.1 for 10 %.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stroke thickness</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Take the gradient where the momentum leads, before correcting it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Target accuracy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Target error</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The distribution of the random weights at the start: it decides whether signals keep their size from layer to layer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The epochs after which the schedule begins and how many epochs it takes, such as 0:10, 10:20; after them the rate stays. Empty: once, over all epochs. It is set when a run is continued.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The layers in short form: 784-128-10 is 784 inputs, one hidden layer of 128 units, 10 outputs.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The length of a step: too small learns slowly, too large makes the loss jump or explode.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The nonlinear function of the hidden units: without one, any number of layers computes only a linear function.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The number of units of each hidden dense layer of the network.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The part of the last step that is kept in the next one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The seed of all random numbers: the same seed repeats the run exactly.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The share of the training images kept aside to find the best epoch and to decide when to stop; patience needs it and sets it to 0.1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Thickens or thins strokes by up to this share of the difference to a pixel&apos;s neighbors.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Turns each image by up to this many degrees, differently each time.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Validation share</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What training minimizes: cross-entropy punishes confident mistakes most, squared error all alike.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Workers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>clipped leaky ReLU</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>constant</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cosine</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cross-entropy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>degrees</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>exponential</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>leaky ReLU</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>linear</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>normal</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>normal, biases 0</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>of contrast</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>of size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>pixels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>pixels/pixel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>sigmoid</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>squared error</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>tanh</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>uniform</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>SettingCells</name>
    <message>
        <source>All settings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Loss, optimizer, schedule, initial weights, regularization, when to stop, workers, seed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>how a step is made</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>how much of a step stays in the next</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>how the learning rate changes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>how wrong an answer is</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>SettingsPanel</name>
    <message>
        <source>Device</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>For experts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How it learns</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Initial weights, regularization, validation, when to stop, workers, seed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It lear&amp;ns from</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Network</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The data are being read. Train is free as soon as they are there.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What it is ma&amp;de of</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Where the numbers are computed; auto takes the fastest one here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>with</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ShareDialog</name>
    <message>
        <source>&amp;Save</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>As which kind of file it is written.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>File</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What do you want to give away?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write the file now.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} is being written…</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Sharing</name>
    <message>
        <source>A folder: confusion matrix, mistakes and scores, as pictures and tables.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A page to draw on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A picture of the curves</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A table of the epochs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>CSV, for a spreadsheet.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Done</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Drawing that can be scaled</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>For DigitLab, ONNX, PyTorch or NumPy.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It has a row for each epoch.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It shows the curves with the name of the run and its result.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Model of DigitLab</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ONNX</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One file for any telephone or computer. It reads what is drawn, and shows how it learned to.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open it here to try it, or send it: by mail, by a memory stick, by a chat. It needs no connection. Who opens it can draw at once.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open it in the program that this system uses for it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open reads it again, here or on another computer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>PNG or SVG, as the tab Training shows them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Page to draw on, with a report</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Picture</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>PyTorch module</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Python, NumPy only</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Share “{name}”</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Table</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The folder has each picture and table as a file of its own.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The network is saved</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The network itself</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The page is saved</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The picture is saved</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The results are saved</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The results on the test images</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The table is saved</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Train a network first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Train a network or open one first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Web pages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>results</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} curves</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} epochs</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ShortcutsDialog</name>
    <message>
        <source>Add a layer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Arrow keys</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Canvas</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check the kernel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Devices</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Empty the canvas</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Eraser on or off</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>File</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Find in the kernel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keep the drawing as this digit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Key</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keys</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Layers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Make comments of lines, or code again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Move the pen</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Put the pen down or lift it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Race, run or measure</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove the chosen layer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Thinner and thicker pen</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Where</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Workshop</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Stage</name>
    <message>
        <source>, {height} × {width} each</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>, {n} are shown</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>1/{n} as wide</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; changed since the training</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; strongest: {unit}, {value}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Layer {n} of {count}, {what}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No unit of this layer answers to any image</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a quarter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a third</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>as large</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>dropout</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>filter {n}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>for {unit}: all strokes together {value}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>half</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its strokes × the weights of each answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>map {n}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no drawing yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no idea</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>normalization</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>strokes × weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the weights of each answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>true: {value}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>unit {n}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>value {n}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>{n} answers</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{n} filters</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{n} units</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{n} values</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>{shown} of {n}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{unit}: not trained yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{unit}: up to {value}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{unit}: {value}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>StageView</name>
    <message>
        <source>Dashed layers have changed. Train to see them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It gets</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It sees</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not trained yet. Train to see it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show the network as it is at the end of the training.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The network</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>To the end</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>reading…</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>StartProblemButton</name>
    <message>
        <source>Go to the field that prevents the run.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>StateMark</name>
    <message>
        <source>done</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>missing</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>StepView</name>
    <message>
        <source>Name or number</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Your name or number: your settings follow from it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>first your name or number</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>StudyEditor</name>
    <message>
        <source>&amp;Add a setting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Choice</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A grid: every combination of the values.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>C&amp;luster</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choice</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cluster</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Each run has random values.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>End &amp;bad runs early</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>End a run whose validation loss is worse than the median of the others at the same epoch.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>For experts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How many runs are trained.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How the values of each run are chosen.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Many runs: random or learned choice, a name of its own, several machines.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>R&amp;uns</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Re&amp;petitions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Repetitions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>See&amp;d</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Seed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The address of a Dask scheduler, to divide the runs among machines. Empty: train in this program. Whoever can reach the address can execute code on the scheduler, the workers and in this program.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The name under which the comparison is kept.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The seed of the random choice: the same seed chooses the same runs.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is a comparison “{name}” already: give this one another name.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Train each value so often, from other random weights: the band is from the worst to the best.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Values near those of good runs are likelier (a tree-structured Parzen estimator).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Vary one more setting: all combinations are trained.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>all combinations</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>learns from the runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>random</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>{setting} ({n} values)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
</context>
<context>
    <name>StudyTraining</name>
    <message>
        <source>Changed under Training, for all later runs, too: {settings}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Correct the settings under Training first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Failed runs: {n} ({reason}). Continue tries them again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Several values are being compared: stop that first, or wait for its end.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop the comparison</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The comparison was stopped: Continue trains what is left.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The settings under Training are those already.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The trash is empty.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Undo</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Waiting for workers of the cluster at {address}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no reason is known</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{study}: reading the data…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{study}: stopping…</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>{study}: {n} of {total} runs have ended.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>“{name}” and its runs are in the trash.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“{name}” is back.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>SurfaceField</name>
    <message>
        <source>Point of the surface</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The answers of the network to all points, the larger the bluer. Arrow keys move the cross.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>x {x}, y {y}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>TaskPart</name>
    <message>
        <source>Attempt {n}: not yet. Change something and train again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Change the settings below, then press Train.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Well done: reached at attempt {n} of {all}.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Totals</name>
    <message>
        <source>Accesses</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Atomic turns</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Atomics</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bank conflict ways</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Barriers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Divergent branches</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Global bytes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Global reads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Global writes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Operations</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sectors per request</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shared reads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shared writes</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Tour</name>
    <message>
        <source>Choose a network</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Done</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Draw a digit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>End the tour (Escape); Help ▸ Tour shows it again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Follow the training</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hold the mouse button and draw. Your drawing flows through the layers; the bars and the digit at the right show at once how the network reads it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It learns from the data chosen in this line. Pause, go step by step or stop as you like; each field has a tooltip.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Next</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show the next part of the window (Return).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Skip</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Take one that is known to work, or change it in the picture: a click on a layer shows its settings, and + adds one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Test it with a drawing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The loss falls, the accuracy rises. Change the learning rate during the run and compare the curves before and after.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Train it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Your drawing is read again while the network learns; this button names the network that reads. The Help menu shows this tour again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{position} of {count}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>TrainingPage</name>
    <message>
        <source>Training</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>TrainingTab</name>
    <message>
        <source>Preparing {study}: the first curves appear after the first epoch.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Press Train: the curve appears here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop the study; it can be continued under Compare.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Training</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>Training {study}: {epochs} epochs, {n} of {all} runs have ended.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>epoch {epoch}, kept as the best of {n}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>half</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no hidden layer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>of the test images, epoch {epoch} of {all}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>on the test set, epoch {epoch} of {all}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the rate followed the schedule again from epoch {n}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the rate was set to {rate} in epoch {n}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>with the same settings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{network}, {optimizer} {rate}, {data}</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>{network}, {optimizer} {rate}, {data}, {n} epochs</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{n} epochs</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{n} filters</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{n} runs before</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{n} units</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>{setting} compared: {settings}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>TwoSides</name>
    <message>
        <source>Findings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kernel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kernel or findings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Verdict, run and race.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write the kernel.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>UnitDetails</name>
    <message>
        <source>Input made by gradient ascent</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It contributes most to: {list}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Made to excite it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Return or a click shows this test image to the network.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Strongest inputs: {list}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Test image {n}, a {name}; Return or a click shows it to the network.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Test images that excite it most</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Weights of the unit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>input {n}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>map {map} at {row}, {column}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>pixel {row}, {column}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>UsePage</name>
    <message>
        <source>A small network learns with your kernel in place of the program&apos;s own.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All parameters are the same but for rounding.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Draw a digit: the network that your kernel has trained reads it now.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It reads {accuracy} of the test images; with the program&apos;s own {own}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The card runs your kernel.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The interpreter of the check runs your kernel.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The kernel is being checked, and the network prepared…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The parameters differ: the kernel computes something else than the operator.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Your kernel runs as a compiled loop on the processor.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>Your kernel was called {calls} times and took {share} of {seconds} s; with the program&apos;s own operator the training takes {own} s.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>accuracy, %</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>{network} learns {n} images.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ValueLegend</name>
    <message>
        <source>Color scale</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What the colors mean: orange is negative, blue is positive.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>VariationRow</name>
    <message>
        <source> values</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A list of values, or a range of numbers; a log range is spaced by equal factors.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Data set</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Do not vary this setting.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Do not vary {setting}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>From</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How many values of the range the grid takes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>List or range</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Names or paths of data sets.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Number of values</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Numbers from the first to the second, evenly spaced.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Numbers spaced by equal factors, as for learning rates.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Setting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The largest value of the range.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The setting in which the runs differ.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The smallest value of the range.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>These values.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>To</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Values</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Values with commas between them, or with semicolons.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write at least one value.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write the smallest and the largest number of the range.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>list</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>log range</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>range</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>to</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} is no data set on this machine: write one of {names}, or a path.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>VerdictCard</name>
    <message>
        <source>Best: {value}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose several runs in the list to see their curves side by side, or let the program train with several values of a setting: New comparison…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compare</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Comparing…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Comparison</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Continue</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Continue…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Looking at the curves…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Progress of the comparison</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show its curves, and let it read the drawing.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sto&amp;p</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop the comparison; it can be continued, also after a restart.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Take the settings with this value, to train with them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>The bands: the lowest and the highest of {n} runs that begin with different random weights.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>The curves grow as the networks learn, all by turns.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The curves stand side by side.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>The lowest loss on the images kept aside (validation): {loss}, of {n} values.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Train it for more epochs, from its last or best one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Train the runs that are left.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Train with several values of {setting} side by side.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Try other values…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use {value}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a setting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{network}, learned from {data}; {state}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{result} of the test images.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{result} of the test images; stopped after epoch {n}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{score} of the test images after epoch {n} of {all}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{score} on the test set after epoch {n} of {all}.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>VerdictPage</name>
    <message>
        <source>Access</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cost</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Costs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>File</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Line</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Line of the file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Line {n}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save as page…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sectors of 32 bytes that a warp asks for at a time, its request, and the fewest that hold its elements.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show the line, and its first step.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This was found in the text before your changes; its lines may have moved.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What the threads do there.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write verdict and run as a page that can be sent to somebody.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no bank conflict</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>own memory of each thread</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{array} is changed, atomically</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{array} is read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{array} is written</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{count}: now {value}, well done {par}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>{n} changes of one element one after the other</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{n} sectors per request, at best {least}</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>{n}-way bank conflict</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>WeightsPage</name>
    <message>
        <source>Change since the start</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Epoch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show what training has added to the random weights of the start.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The epoch whose weights are shown, from the random start to now; the arrow keys move it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The layer whose weights are shown.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What each filter or unit looks for: where its weights are blue, ink raises its output; where they are orange, ink lowers it. Move the slider to see how they were learned.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{unit}: weight {value}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Welcome</name>
    <message>
        <source>Draw digits of your own, and test it with them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Draw the curve that you expect, then see five real ones.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Or begin with a lesson: you say what you expect, then it runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Small filters look for strokes at every place.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The network above has learned before: draw, and it reads. Train lets a new one learn 60,000 digits in about a minute. Its curve will grow here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Try it, then train your own</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>WhyPage</name>
    <message>
        <source>(no comparison)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Explain the difference to another answer: why a 4 and not a 9.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Gradient times input</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Gradient times input: how fast the score grows with the pixel, times its ink. It is quick, but looks at small changes only (Shrikumar et al. 2016).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How the pixels are weighed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Integrated gradients</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Integrated gradients: the mean gradient on the way from an empty image to this one, times the ink. All pixels together give {total}: the score {score} minus that of an empty image, {blank} (Sundararajan et al. 2017).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Method</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Occlusion</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Occlusion: how far the score falls when a square of 5 x 5 pixels around the pixel is blanked (Zeiler, Fergus 2014).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pixel {row}, {column}: {value}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The answer to explain.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The image, and how much each pixel speaks for the answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Why</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Why the network gives this answer: blue pixels speak for it, orange ones against it. The score of an answer is the network&apos;s output before it becomes a probability.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>and not</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the second best</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>what it sees</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>what speaks for {label}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{label} (blue) or {other} (orange)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{label} has a probability of {share}, {other} {second}: their scores differ by {score}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{label} has a probability of {share}; its score is {score}.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Word</name>
    <message>
        <source>A dead unit gives 0 for every image, so it has no gradient and never learns again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A library of fast matrix products for the processor (CPU).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A loss that punishes confident mistakes most: minus the logarithm of the right one&apos;s share.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A loss: the mean square of what the outputs differ from the right answer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A neuron: it multiplies its inputs by weights, adds them up and applies the activation.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A schedule: the learning rate falls slowly at first, then quickly, then slowly, like a half wave.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A table of what each digit was read as: the diagonal is right, all else are mistakes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Adam</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>An activation in the form of an S from 0 to 1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>An activation: negative sums become 0, positive ones stay.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>An optimizer that gives each weight a step length of its own; it needs little tuning.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>BLAS</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Each step keeps a part of the last one, like a ball that rolls on.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How the learning rate changes from epoch to epoch.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How the loss changes with each weight: the direction in which a step goes, downhill.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How wrong the answers are, as one number; training makes it small.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Images that training never sees, to measure what has been learned and not memorized.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keeps the largest value of each small square: the image shrinks, and small shifts do not matter.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Learning the training images by heart instead of what digits look like: new images are read worse.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Makes probabilities of the outputs: all are positive, and their sum is 1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Momentum that looks where it rolls to before it corrects itself.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Multiplications and additions that one image takes: the work of the network.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nesterov</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One pass through all training images.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ReLU</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>SGD</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stochastic gradient descent: a step against the gradient of each batch.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The function that makes the output of a unit from the sum of its inputs.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The images that one step learns from; their errors are averaged.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The images that the network learns from.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The length of a step: too small learns slowly, too large jumps over the goal.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The number from which all random numbers follow: the same seed repeats a run exactly.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The numbers by which a unit multiplies its inputs.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The numbers that training changes: weights and biases.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The outputs of one filter at all places of the image.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The rule that makes a step from the gradient.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The share of images that the network reads right.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The weights of one map: a small picture of what the map looks for at every place of the image.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Training images kept aside to choose the best epoch and settings, so that the test stays fair.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Units that all take the outputs of the layer below; the last layer gives the answer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>accuracy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>activation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>batch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>confusion matrix</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cosine</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cross-entropy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>dead</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>epoch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>filter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>gradient</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>layer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>learning rate</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>loss</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>map</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>momentum</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>multiply-adds</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>optimizer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>overfitting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>parameters</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>pooling</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>schedule</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>seed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>sigmoid</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>softmax</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>squared error</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>test images</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>training images</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>unit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>validation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{word}: {meaning}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>WorkshopTab</name>
    <message>
        <source>Workshop</source>
        <translation type="unfinished"></translation>
    </message>
</context>
</TS>
