/*
 * RandomPlayer.scala - an Intensity player that follows the rules and otherwise plays at random. It loses to any reasonable
 * player: make it a little better, again and again.
 */
import IntensityKit.{Question, random}

object RandomPlayer extends IntensityKit.Player {
  def playerName: String = "Random in Scala"

  def chooseDiscards(hand: List[Int]): List[Int] = random.shuffle(hand).take(3)

  def chooseCard(question: Question): Int = question.legal(random.nextInt(question.legal.size))

  def runUnitTests(): Unit = println("no tests")

  // Do not change this.
  def main(args: Array[String]): Unit = IntensityKit.run(this)
}
