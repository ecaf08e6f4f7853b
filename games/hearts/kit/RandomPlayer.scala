/*
 * RandomPlayer.scala - a contestant that follows the rules and otherwise passes and plays at random. It loses to any reasonable
 * player: make it a little better, again and again.
 */
import Mactech98.{Card, Pass, legalIndices, random}

object RandomPlayer extends Mactech98.Player {
  private var pointsPlayed = false // a heart or the queen of spades was played on an earlier trick of this hand

  def initTournament(numPlayers: Int, gameEndingScore: Int): Unit = {}

  def initGame(playerIDs: Vector[Int], yourSeat: Int): Unit = {}

  def selectPass(dealtHand: Vector[Card], direction: Pass.Value): Seq[Int] = {
    pointsPlayed = false
    random.shuffle((0 to 12).toVector).take(3) // ignored when nothing is passed
  }

  def playTrick(trickNumber: Int, trickLeader: Int, yourHand: Vector[Card], cardsPlayed: Vector[Card]): Int = {
    val legal = legalIndices(yourHand, trickNumber, cardsPlayed(trickLeader), pointsPlayed)
    legal(random.nextInt(legal.size))
  }

  def trickResults(lastTrick: Vector[Card], trickWinner: Int): Unit =
    pointsPlayed ||= lastTrick.exists(_.isPoint)

  def handResults(pointsThisHand: Vector[Int], cumPoints: Vector[Int]): Unit = {}

  // Do not change this.
  def main(args: Array[String]): Unit = Mactech98.run(this)
}
